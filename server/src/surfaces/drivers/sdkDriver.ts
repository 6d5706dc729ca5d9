import { type Driver, type DriverHost, type DriverSession, NotInstalled } from '../../evaluation/sandbox/driver.ts';
import { messageOf } from '../../evaluation/sandbox/schema.ts';
import { refusal, SDKS, type SdkSurface } from '../sdks.ts';

/** How a driver gets at an SDK. */
export interface SdkAccess<Sdk> {
  /** Imports what is used of the SDK. */
  load(host: DriverHost, from: string): Promise<Sdk>;
  /** A value of the SDK's own that tells two installed copies apart. */
  identity(sdk: Sdk): object;
  session(sdk: Sdk, version: string): DriverSession;
}

/**
 * A driver with one session for each installed copy of an SDK. What keeps a copy from being driven (absent, of another
 * version, broken) becomes a NotInstalled with one sentence.
 */
export function sdkDriver<Sdk>(id: SdkSurface, access: SdkAccess<Sdk>): Driver {
  const name = SDKS[id].package;
  const sessions = new WeakMap<object, DriverSession>();
  return {
    id,
    async open(host, from) {
      const version = host.version(name, from);
      if (version === undefined) throw new NotInstalled(`${name} is not installed: run your package manager.`);
      const refused = refusal(id, version);
      if (refused !== undefined) throw new NotInstalled(refused);
      try {
        const sdk = await access.load(host, from);
        const identity = access.identity(sdk);
        const session = sessions.get(identity) ?? access.session(sdk, version);
        sessions.set(identity, session);
        return session;
      } catch (error) {
        throw new NotInstalled(`${name} cannot be loaded: ${messageOf(error)}`);
      }
    },
  };
}
