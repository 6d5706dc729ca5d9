import type { Span } from '../../../../shared/src/model.ts';
import { ts } from '../../discovery/typescript.ts';
import { dressed } from '../syntax.ts';
import { type Edits, extendedBy, type FixData, ownerOfRead } from './extending.ts';

/**
 * The edits of a fix for a registered shape.
 *
 * @param read the reported read `S.shape`
 * @param isMini the schema has no methods, so it can only be registered as it is
 */
export function registrationEdits(read: ts.Expression, data: FixData, id: string, isMini: boolean): Edits {
  const owner = ownerOfRead(read, data);
  if (owner === undefined) return undefined;
  if (isMini && (id === 'strip' || registeredShape(read).literal)) return undefined;
  if (id === 'strip') return [{ span: spanOf(read), text: `${owner}.strip().shape` }];
  if (id !== 'register' || !data.schemas) return undefined;
  const shape = registeredShape(read);
  const schema = shape.literal ? extendedBy(shape.literal, data) : owner;
  if (schema === undefined) return undefined;
  if (isConfigProperty(shape.outer)) return [{ span: spanOf(shape.literal ?? read), text: schema }];
  return toRegisterTool(shape.outer, schema);
}

/** The whole registered expression around a read: the read itself, or the literal it is spread into. */
function registeredShape(read: ts.Expression): { literal?: ts.ObjectLiteralExpression; outer: ts.Expression } {
  const outer = dressed(read);
  if (!ts.isSpreadAssignment(outer.parent)) return { outer };
  const literal = outer.parent.parent;
  return { literal, outer: dressed(literal) };
}

/** Whether an expression is the `inputSchema` in the config argument of a registration: a schema may stand there. */
function isConfigProperty(expression: ts.Expression): boolean {
  const property = expression.parent;
  if (!ts.isPropertyAssignment(property) || property.name.getText() !== 'inputSchema') return false;
  const config = dressed(property.parent);
  const call = config.parent;
  if (!ts.isCallExpression(call) || !call.arguments.includes(config)) return false;
  return ['registerTool', 'registerAppTool'].includes(calledName(call) ?? '');
}

/** `server.tool(name, description?, shape, annotations?, handler)` as a call of `registerTool`, which takes a schema. */
function toRegisterTool(shape: ts.Expression, schema: string): Edits {
  const call = shape.parent;
  if (!ts.isCallExpression(call) || !ts.isPropertyAccessExpression(call.expression)) return undefined;
  const args = call.arguments;
  const at = args.indexOf(shape);
  const annotated = args.length - at === 3;
  if (calledName(call) !== 'tool' || at < 1 || at > 2 || (args.length - at !== 2 && !annotated)) return undefined;
  if (args.some(ts.isSpreadElement)) return undefined;
  const [description, annotations] = [at === 2 ? args[1] : undefined, annotated ? args[at + 1] : undefined];
  const first = args[1];
  const last = annotations ?? shape;
  if (!first) return undefined;
  const parts = [
    ...(description ? [`description: ${description.getText()}`] : []),
    `inputSchema: ${schema}`,
    ...(annotations ? [`annotations: ${annotations.getText()}`] : []),
  ];
  return [
    { span: spanOf(call.expression.name), text: 'registerTool' },
    { span: { start: first.getStart(), end: last.end }, text: `{ ${parts.join(', ')} }` },
  ];
}

function calledName(call: ts.CallExpression): string | undefined {
  const callee = call.expression;
  if (ts.isIdentifier(callee)) return callee.text;
  return ts.isPropertyAccessExpression(callee) ? callee.name.text : undefined;
}

function spanOf(node: ts.Node): Span {
  return { start: node.getStart(), end: node.end };
}
