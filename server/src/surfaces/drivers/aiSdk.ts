import { SDKS } from '../sdks.ts';
import { type AiSdk, AiSession, type MockModel } from './aiSession.ts';
import { sdkDriver } from './sdkDriver.ts';

const SDK = SDKS['ai-sdk'].package;

/** AI SDK 5 to 7: its own `generateText`, and the mock model that it comes with in place of a provider. */
export const aiSdk = sdkDriver<AiSdk>('ai-sdk', {
  async load(host, from) {
    const [{ tool, generateText }, test] = await Promise.all([host.load(SDK, from), host.load(`${SDK}/test`, from)]);
    return { tool, generateText, ...newestModel(test) } as AiSdk;
  },
  identity: (sdk) => sdk.generateText,
  session: (sdk, version) => new AiSession(SDK, version, sdk),
});

/** The mock model of the newest specification that a version knows: `MockLanguageModelV2` in 5, V3 in 6, V4 in 7. */
function newestModel(test: Record<string, unknown>): { Model: MockModel; specification: number } {
  const versions = Object.keys(test).flatMap((name) => /^MockLanguageModelV(\d+)$/.exec(name)?.[1] ?? []);
  const specification = Math.max(...versions.map(Number));
  const Model = test[`MockLanguageModelV${specification}`];
  if (typeof Model !== 'function') throw new Error(`${SDK}/test has no mock language model`);
  return { Model: Model as MockModel, specification };
}
