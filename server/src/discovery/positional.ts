import type { Draft } from './found.ts';
import type { SchemaKeys } from './keys.ts';
import { isNameLike, nameOf } from './names.ts';
import { likeliest, schemaArguments, schemaForm, startsAtZod } from './schemas.ts';
import { sdkOf } from './sdk.ts';
import { isAnnotations } from './serverTool.ts';
import {
  type Call,
  calleeName,
  enclosingClass,
  isFunctionLiteral,
  isText,
  isValueProperty,
  propertiesOf,
  propertyValue,
  receiverOf,
  span,
  unwrap,
} from './syntax.ts';
import { ts } from './typescript.ts';
import { isOtherCall, isToolWord } from './words.ts';

/** Verbs that start the name of a helper which makes or registers something. */
const HELPER = /^(?:register|add|define|create|make|declare|build|new)/i;
/** Verbs of functions that do something with a tool that there is already. */
const USE =
  /^(?:call|exec|run|invoke|log|track|trace|record|report|handle|get|use|list|find|has|is|remove|delete|update|test|format|parse|validate|render|on|send|emit|start|end|measure|wait|mock|assert|expect)/i;

function namesTool(callee: string): boolean {
  return /tool(?!tip|bar|box|kit)/i.test(callee) && !USE.test(callee);
}

/**
 * A helper that takes a tool part by part: `tool(name, title, description, shape, handler)`, with or without a server
 * in front; also `new Tool(…)` and `super(…)`. Which of its arguments is the schema is known when they are evaluated.
 *
 * @returns undefined when the call is of another kind
 */
export function positional(call: Call, keys: SchemaKeys): Draft | undefined {
  const args = call.arguments;
  if (!args || args.length < 3 || args.some(ts.isSpreadElement)) return undefined;
  const callee = calleeName(call);
  const isSuper = call.expression.kind === ts.SyntaxKind.SuperKeyword;
  const toolish = namesTool(callee) || (isSuper && isToolWord(enclosingClass(call)?.name?.text ?? ''));
  if (!toolish && isOtherCall(callee)) return undefined;
  const at = nameIndex(args);
  const name = args[at];
  if (!name) return undefined;
  const handler = args.findLastIndex((argument) => isFunctionLiteral(unwrap(argument)));
  const handled = handler > at;
  const middle = args.slice(at + 1, handled ? handler : isSuper ? undefined : -1);
  if (middle.some((argument) => isConfig(argument, keys))) return undefined;
  const possible = schemaArguments(middle).filter((argument) => !isAnnotations(argument));
  const [first, second] = possible;
  if (!first) return undefined;
  const zodLike = possible.some((one) => startsAtZod(one) || schemaForm(one) === 'shape');
  const isWritten = zodLike || (handled && ts.isStringLiteralLike(unwrap(name)));
  const isHelper = possible.some(holdsZod) && (isSuper || (handled && HELPER.test(callee)));
  if (toolish ? !isWritten : !isHelper) return undefined;

  const sdk = isSuper ? undefined : (sdkOf(call.expression) ?? sdkOfReceiver(call));
  const described = middle.some(isText);
  return {
    anchor: call,
    way: isSuper ? 'class' : 'positional',
    certain: toolish && (sdk !== undefined || (described && handled && zodLike)),
    ...(sdk?.claim && { claim: sdk.claim }),
    ...nameOf(name, 'argument'),
    schema: unwrap(first),
    schemaSource: { span: span(unwrap(likeliest(possible) ?? first)) },
    ...(second && { alternatives: possible.map(unwrap) }),
    output: null,
  };
}

function sdkOfReceiver(call: Call): ReturnType<typeof sdkOf> {
  const receiver = receiverOf(call);
  return receiver && sdkOf(receiver);
}

/** Where the name is: first, or second after a server. */
function nameIndex(args: readonly ts.Expression[]): number {
  const [first, second, third] = args.map(unwrap);
  if (first && ts.isStringLiteralLike(first)) return 0;
  // `add(server, 'name', 'What it does', …)` against `add(NAMES.x, 'What it does', …)`
  const isSecond = second && ts.isStringLiteralLike(second) && /^[\w./:-]+$/.test(second.text);
  if (isSecond && third && isText(third)) return 1;
  if (first && isNameLike(first)) return 0;
  const isNamed = second && !ts.isStringLiteralLike(second) && isNameLike(second);
  return isSecond || isNamed ? 1 : args.length;
}

/** Whether an argument is a schema of zod, or a shape with one. */
function holdsZod(argument: ts.Expression): boolean {
  const value = unwrap(argument);
  if (!ts.isObjectLiteralExpression(value)) return startsAtZod(value);
  return value.properties.some((property) => isValueProperty(property) && startsAtZod(propertyValue(property)));
}

/** Whether an argument is an object with the schema inside: a definition, found by itself. */
function isConfig(argument: ts.Expression, keys: SchemaKeys): boolean {
  const value = unwrap(argument);
  if (!ts.isObjectLiteralExpression(value)) return false;
  const properties = propertiesOf(value);
  return (
    [...properties.keys()].some((key) => keys.all.has(key)) &&
    ['description', 'title'].some((key) => properties.has(key))
  );
}
