import { type Registration, registerTool } from './registerTool.ts';
import { serverTool } from './serverTool.ts';
import type { ts } from './typescript.ts';

export type { Registration };

/** A call that registers one tool by itself, in any of the forms that SDKs have. */
export function registration(call: ts.CallExpression): Registration | undefined {
  return registerTool(call) ?? serverTool(call);
}
