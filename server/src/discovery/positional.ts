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
  propertiesOf,
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
  const at = nameIndex(args, toolish);
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
  if (toolish ? !isWritten : !(zodLike && (isSuper || (handled && HELPER.test(callee))))) return undefined;

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

/** Where the name is: first, or second after a server; a const or member counts where the helper's name says tool. */
function nameIndex(args: readonly ts.Expression[], toolish: boolean): number {
  const isName = (argument: ts.Expression | undefined): boolean =>
    argument !== undefined && (ts.isStringLiteralLike(unwrap(argument)) || (toolish && isNameLike(argument)));
  if (isName(args[0])) return 0;
  return isName(args[1]) ? 1 : args.length;
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
