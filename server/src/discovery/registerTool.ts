import { type ConfigPart, readConfig } from './config.ts';
import type { Draft } from './found.ts';
import { nameOf } from './names.ts';
import { type Sdk, sdkOf } from './sdk.ts';
import { calleeName, findProperty, isFunctionLiteral, isText, receiverOf, unwrap } from './syntax.ts';
import { ts } from './typescript.ts';

/** A registering call, with the literals that belong to it. */
export interface Registration {
  readonly draft: Draft;
  readonly call: ts.CallExpression;
  readonly owned: readonly ts.ObjectLiteralExpression[];
}

/**
 * `server.registerTool(name, config, handler)`, `registerToolTask` of the same form, ext-apps'
 * `registerAppTool(server, name, config, handler)`, and the former as a plain function, with or without the server in
 * front.
 *
 * @returns undefined when the call is none of these, or has another form
 */
export function registerTool(call: ts.CallExpression): Registration | undefined {
  const callee = calleeName(call);
  if (callee !== 'registerTool' && callee !== 'registerToolTask' && callee !== 'registerAppTool') return undefined;
  const receiver = receiverOf(call);
  const args = call.arguments;
  const withServer = callee === 'registerAppTool' || (!receiver && args.length >= 4 && !isNameText(args[0]));
  const at = withServer ? 1 : 0;
  const name = args[at];
  const config = args[at + 1];
  const handler = args[at + 2];
  if (!name || !config || args.some(ts.isSpreadElement)) return undefined;
  if (isText(config) || isFunctionLiteral(unwrap(config)) || isFunctionLiteral(unwrap(name))) return undefined;
  if (ts.isObjectLiteralExpression(unwrap(name))) return undefined;
  // A function of that name which nobody knows takes what it likes; with four parts it is another form.
  if (!receiver && (!handler || args.length > at + 3)) return undefined;
  // `registerTool(definition, handler)`: one argument says it all, and is a definition of its own.
  if (!handler && !isNameText(name) && !ts.isObjectLiteralExpression(unwrap(config))) return undefined;

  const server = receiver ?? (withServer ? args[0] : undefined);
  const sdk = (server && sdkOf(server)) ?? (receiver ? undefined : sdkOf(call.expression));
  const complete =
    handler !== undefined && (isComplete(name, config) || (server !== undefined && isServerLike(server)));
  const certain = sdk !== undefined || complete;
  return {
    ...toDraft(
      call,
      callee === 'registerAppTool' ? 'registerAppTool' : 'registerTool',
      name,
      readConfig(config),
      sdk,
      certain,
    ),
    call,
  };
}

function toDraft(
  anchor: ts.CallExpression,
  way: Draft['way'],
  name: ts.Expression,
  config: ConfigPart,
  sdk: Sdk | undefined,
  certain: boolean,
): Pick<Registration, 'draft' | 'owned'> {
  const { owned, ...schema } = config;
  const draft: Draft = {
    anchor,
    way,
    certain,
    ...(sdk?.claim && { claim: sdk.claim }),
    ...nameOf(name, 'argument'),
    ...schema,
  };
  return { draft, owned };
}

/** Whether a call says what a tool is called and what it is for. */
function isComplete(name: ts.Expression, config: ts.Expression): boolean {
  const value = unwrap(config);
  return isText(name) && ts.isObjectLiteralExpression(value) && findProperty(value, 'description') !== undefined;
}

function isNameText(argument: ts.Expression | undefined): boolean {
  return argument !== undefined && isText(argument);
}

/** Whether a receiver is called what people call MCP servers: `server`, `this.mcpServer`, `mcp`. */
export function isServerLike(receiver: ts.Expression): boolean {
  const value = unwrap(receiver);
  const name = ts.isPropertyAccessExpression(value) ? value.name.text : ts.isIdentifier(value) ? value.text : '';
  return /server$|^mcp|mcp$/i.test(name);
}
