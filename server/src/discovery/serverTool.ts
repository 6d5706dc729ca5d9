import type { Draft } from './found.ts';
import { nameOf } from './names.ts';
import { isServerLike, type Registration } from './registerTool.ts';
import { likeliest, schemaArguments } from './schemas.ts';
import { sdkOf } from './sdk.ts';
import { calleeName, isFunctionLiteral, isText, keyText, receiverOf, span, unwrap } from './syntax.ts';
import { ts } from './typescript.ts';

/**
 * `server.tool(name, [description], [shape or schema], [annotations], handler)`. Which of several middle arguments is
 * the schema is known when they are evaluated: the SDK itself decides by looking at the values.
 *
 * @returns undefined when the call has another form
 */
export function serverTool(call: ts.CallExpression): Registration | undefined {
  if (calleeName(call) !== 'tool') return undefined;
  const receiver = receiverOf(call);
  const args = call.arguments;
  const name = args[0];
  const handler = args.at(-1);
  if (!receiver || !name || !handler || args.length < 2 || args.some(ts.isSpreadElement)) return undefined;
  if (isObjectOrFunction(name) || ts.isObjectLiteralExpression(unwrap(handler))) return undefined;
  if (isText(handler)) return undefined;
  // Two arguments that are both no literals may be anything: `ai.tool(definition, options)`.
  if (args.length === 2 && !isText(name) && !isFunctionLiteral(unwrap(handler))) return undefined;

  const middle = args.slice(1, -1);
  const possible = schemaArguments(middle).filter((argument) => !isAnnotations(argument));
  const [first, second] = possible;
  const sdk = sdkOf(receiver);
  const draft: Draft = {
    anchor: call,
    way: 'server.tool',
    certain: sdk !== undefined || (isText(name) && (isServerLike(receiver) || isComplete(middle, handler))),
    ...(sdk?.claim && { claim: sdk.claim }),
    ...nameOf(name, 'argument'),
    schema: first ? unwrap(first) : null,
    ...(first && { schemaSource: { span: span(unwrap(likeliest(possible) ?? first)) } }),
    ...(second && { alternatives: possible.map(unwrap) }),
    output: null,
  };
  return { draft, call, owned: [] };
}

/** Whether a call says what the tool is for and what runs it. */
function isComplete(middle: readonly ts.Expression[], handler: ts.Expression): boolean {
  return middle.some(isText) && isFunctionLiteral(unwrap(handler));
}

function isObjectOrFunction(argument: ts.Expression): boolean {
  const value = unwrap(argument);
  return ts.isObjectLiteralExpression(value) || isFunctionLiteral(value) || ts.isArrayLiteralExpression(value);
}

/** Whether an argument is written out as the tool's annotations: hints and a title, no schema. */
export function isAnnotations(argument: ts.Expression): boolean {
  const value = unwrap(argument);
  if (!ts.isObjectLiteralExpression(value)) return false;
  return value.properties.some((property) => {
    const key = keyText(property.name);
    if (!key) return false;
    if (/Hint$/.test(key))
      return !ts.isPropertyAssignment(property) || !ts.isCallExpression(unwrap(property.initializer));
    return key === 'title' && ts.isPropertyAssignment(property) && isText(property.initializer);
  });
}
