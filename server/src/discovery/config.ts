import { type SchemaPart, schemaAt } from './schemas.ts';
import { moduleConst } from './scopes.ts';
import { findProperty, keyText, propertyValue, span, unwrap } from './syntax.ts';
import { ts } from './typescript.ts';

/** What a tool's config object says: `{ inputSchema, outputSchema }` of `registerTool(name, config, handler)`. */
export interface ConfigPart extends SchemaPart {
  readonly output: ts.Expression | null;
  readonly outputProperty?: string;
  /** Object literals of this file that the registration reads, so that they are no definitions of their own. */
  readonly owned: readonly ts.ObjectLiteralExpression[];
}

/**
 * Reads a config argument. A literal's own property is the schema; where a spread may bring or replace it, and for any
 * other expression, the schema is a property of the evaluated config.
 *
 * @param key the property that holds the schema
 */
export function readConfig(argument: ts.Expression, key = 'inputSchema', outputKey = 'outputSchema'): ConfigPart {
  const config = unwrap(argument);
  const literal = literalOf(config);
  if (!literal) {
    const schemaSource = { span: span(config), key };
    return { schema: config, property: key, schemaSource, output: config, outputProperty: outputKey, owned: [] };
  }
  return { ...schemaIn(literal, config, key), ...outputIn(literal, config, outputKey), owned: [literal] };
}

/** The literal that a config is, in place or as a const of the module. */
function literalOf(config: ts.Expression): ts.ObjectLiteralExpression | undefined {
  if (ts.isObjectLiteralExpression(config)) return config;
  const made = ts.isIdentifier(config) ? moduleConst(config) : undefined;
  const value = made && unwrap(made);
  return value && ts.isObjectLiteralExpression(value) ? value : undefined;
}

/** The schema of a literal config: written in it, brought by a spread or getter, or none. */
function schemaIn(literal: ts.ObjectLiteralExpression, config: ts.Expression, key: string): SchemaPart {
  const property = findProperty(literal, key);
  if (property && literal === config && isLast(literal, property)) {
    return schemaAt(propertyValue(property), key, span(property));
  }
  if (!property && !mayBring(literal, key)) return { schema: null };
  const shown = property
    ? { span: span(unwrap(propertyValue(property))), property: span(property) }
    : { span: span(config) };
  return { schema: config, property: key, schemaSource: { ...shown, key } };
}

function outputIn(
  literal: ts.ObjectLiteralExpression,
  config: ts.Expression,
  key: string,
): Pick<ConfigPart, 'output' | 'outputProperty'> {
  const property = findProperty(literal, key);
  if (property && literal === config && isLast(literal, property)) return { output: unwrap(propertyValue(property)) };
  return property || mayBring(literal, key) ? { output: config, outputProperty: key } : { output: null };
}

/** Whether a property may come from a spread, or is a getter. */
function mayBring(literal: ts.ObjectLiteralExpression, key: string): boolean {
  return literal.properties.some((one) => ts.isSpreadAssignment(one) || keyText(one.name) === key);
}

/** Whether nothing after a property can replace it. */
function isLast(literal: ts.ObjectLiteralExpression, property: ts.ObjectLiteralElementLike): boolean {
  const { properties } = literal;
  return !properties.slice(properties.indexOf(property) + 1).some(ts.isSpreadAssignment);
}
