import type { Contract, Place, SchemaNode } from '../../../../shared/src/model.ts';
import { parse } from '../../discovery/syntax.ts';
import { ts } from '../../discovery/typescript.ts';
import type { SourceText } from '../rule.ts';
import { bare, expressionAt, fileText } from '../syntax.ts';

/**
 * Where an object of a tool's inputs is written down: the expression that made it.
 *
 * @param nodes ids of the graph nodes that it is made of; none for a tool without inputs
 */
export function objectPlace(contract: Contract, nodes: readonly number[], source: SourceText): Place {
  for (const node of nodesOf(contract, nodes)) if (node.origin) return node.origin.place;
  const literal = nodesOf(contract, nodes).flatMap((node) => literalOf(contract, node, source) ?? [])[0];
  return literal ?? schemaPlace(contract);
}

/**
 * Where a field of an object is written down: the property `name: schema`, wherever it stands; the schema's expression
 * where there is no such property (a field that a helper made).
 */
export function propertyPlace(contract: Contract, nodes: readonly number[], name: string, source: SourceText): Place {
  for (const node of nodesOf(contract, nodes)) {
    const field = fieldNode(contract, node, name);
    const property = (field && propertyAround(field, name, source)) ?? propertyIn(contract, node, name, source);
    if (property) return property;
    if (field?.origin) return field.origin.place;
  }
  return objectPlace(contract, nodes, source);
}

/** The schema property of a registration, or what of it names the tool. */
function schemaPlace({ candidate }: Contract): Place {
  return { file: candidate.file, span: candidate.schema?.span ?? candidate.name?.span ?? candidate.span };
}

function nodesOf({ graph }: Contract, ids: readonly number[]): SchemaNode[] {
  return ids.flatMap((id) => graph?.nodes[id] ?? []);
}

function fieldNode({ graph }: Contract, { fields }: SchemaNode, name: string): SchemaNode | undefined {
  const id = fields && Object.hasOwn(fields, name) ? fields[name] : undefined;
  return id === undefined ? undefined : graph?.nodes[id];
}

/** The property whose value is the expression that made a field. */
function propertyAround({ origin }: SchemaNode, name: string, source: SourceText): Place | undefined {
  const expression = origin && expressionOf(origin.place, source);
  if (!origin || !expression) return undefined;
  for (let node: ts.Node = expression; ts.isExpression(node); node = node.parent) {
    const { parent } = node;
    if (ts.isPropertyAssignment(parent) && parent.initializer === node && keyOf(parent) === name) {
      return placeOf(origin.place.file, parent);
    }
    if (!ts.isExpression(parent) || bare(parent) !== bare(node)) return undefined;
  }
  return undefined;
}

/** The property of a name in the literal that an object is made from. */
function propertyIn(contract: Contract, node: SchemaNode, name: string, source: SourceText): Place | undefined {
  const place = node.origin?.place ?? schemaPlace(contract);
  const expression = expressionOf(place, source);
  if (!expression) return undefined;
  let found: Place | undefined;
  const visit = (inner: ts.Node): void => {
    if (found || ts.isFunctionLike(inner)) return;
    if (ts.isObjectLiteralExpression(inner)) {
      const property = inner.properties.find((one) => !ts.isSpreadAssignment(one) && keyOf(one) === name);
      if (property) found = placeOf(place.file, property);
      // A field of the same name further in belongs to another object.
      return;
    }
    ts.forEachChild(inner, visit);
  };
  visit(expression);
  return found;
}

/** The literal of a raw shape: the registered expression itself, else the one that its fields stand in. */
function literalOf(contract: Contract, node: SchemaNode, source: SourceText): Place | undefined {
  const place = schemaPlace(contract);
  const registered = expressionOf(place, source);
  if (!registered || ts.isObjectLiteralExpression(bare(registered))) return place;
  for (const name of Object.keys(node.fields ?? {})) {
    const field = fieldNode(contract, node, name);
    const property = field && propertyAround(field, name, source);
    const literal = property && nodeAt(property, source)?.parent;
    if (property && literal && ts.isObjectLiteralExpression(literal)) return placeOf(property.file, literal);
  }
  return undefined;
}

function expressionOf(place: Place, source: SourceText): ts.Expression | undefined {
  const text = fileText(source, place.file);
  return text === undefined ? undefined : expressionAt(parse(place.file, text), place.span);
}

function nodeAt({ file, span }: Place, source: SourceText): ts.Node | undefined {
  const text = fileText(source, file);
  if (text === undefined) return undefined;
  const root = parse(file, text);
  let found: ts.Node | undefined;
  const visit = (node: ts.Node): void => {
    if (node.pos > span.start || node.end < span.end) return;
    if (node.getStart(root) === span.start && node.end === span.end) found = node;
    else ts.forEachChild(node, visit);
  };
  visit(root);
  return found;
}

function keyOf({ name }: ts.ObjectLiteralElementLike): string | undefined {
  return name && (ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name))
    ? name.text
    : undefined;
}

function placeOf(file: string, node: ts.Node): Place {
  return { file, span: { start: node.getStart(), end: node.end } };
}
