import type { SurfaceId, Way } from '../../../shared/src/model.ts';

/** A surface that stands for an SDK. */
export type SdkSurface = Exclude<SurfaceId, 'contract'>;

/** An SDK that can be driven. */
export interface SdkPackage {
  /** The package that a workspace installs. */
  readonly package: string;
  /** What people call it. */
  readonly name: string;
  /** The oldest version that can be driven, as `major.minor`. */
  readonly oldest: readonly [major: number, minor: number];
  /** The newest major version that the driver is tested with. */
  readonly newestMajor: number;
  /** Versions from this major on are another surface's. */
  readonly below?: number;
  /** Whether a plain record of schemas can be registered instead of a schema. */
  readonly takesShapes: boolean;
  /** Whether calls are answered of a tool whose schema cannot be advertised. */
  readonly callsUnlisted: boolean;
  /** Calls of a server of its own by which tools are registered. */
  readonly calls: readonly Way[];
}

/** Every SDK that can be driven, in the order in which they are asked. */
export const SDKS: { readonly [S in SdkSurface]: SdkPackage } = {
  'mcp-v1': {
    package: '@modelcontextprotocol/sdk',
    name: 'MCP SDK',
    // `registerTool` and what is used beside it.
    oldest: [1, 12],
    newestMajor: 1,
    // The package ended with version 1; version 2 is other packages.
    below: 2,
    takesShapes: true,
    callsUnlisted: true,
    calls: ['registerTool', 'registerAppTool', 'server.tool'],
  },
  'mcp-v2': {
    package: '@modelcontextprotocol/server',
    name: 'MCP SDK',
    oldest: [2, 0],
    newestMajor: 2,
    takesShapes: true,
    callsUnlisted: true,
    calls: ['registerTool', 'registerAppTool'],
  },
  'ai-sdk': {
    package: 'ai',
    name: 'AI SDK',
    // Version 4 calls the schema `parameters` and hands other models to it.
    oldest: [5, 0],
    newestMajor: 7,
    takesShapes: false,
    callsUnlisted: false,
    calls: [],
  },
};

/** Ids of the surfaces that stand for an SDK. */
export const SDK_SURFACES = Object.keys(SDKS) as readonly SdkSurface[];

/** Why a version cannot be driven, as a sentence; undefined when it can. */
export function refusal(surface: SdkSurface, version: string): string | undefined {
  const { package: name, oldest, below } = SDKS[surface];
  const [major, minor] = numbers(version);
  const isOld = major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
  if (isOld) return `${name} ${version} is too old to be driven: ${oldest.join('.')} or newer is needed.`;
  return below !== undefined && major >= below
    ? `${name} ${version} cannot be driven: a version below ${below} is needed.`
    : undefined;
}

/** What is uncertain about a version that is driven, as a sentence; undefined when it is one that tests know. */
export function untested(surface: SdkSurface, version: string): string | undefined {
  const { package: name, newestMajor } = SDKS[surface];
  return numbers(version)[0] > newestMajor
    ? `${name} ${version} is newer than what this version was tested with (${newestMajor}); what is said of it may be wrong.`
    : undefined;
}

function numbers(version: string): readonly [major: number, minor: number] {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return [major, minor];
}
