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
  if (!literal) return byProperty(config, key, outputKey, []);
  const owned = [literal];
  const output = outputOf(literal, outputKey);
  if (literal !== config) {
    const noOutput = output.output === null && output;
    return { ...byProperty(config, key, outputKey, owned), ...sourceIn(literal, key), ...noOutput };
  }
  const property = findProperty(literal, key);
  if (property && isLast(literal, property)) {
    return { ...schemaAt(propertyValue(property), key, span(property)), ...output, owned };
  }
  const computed = literal.properties.some((one) => ts.isSpreadAssignment(one) || keyText(one.name) === key);
  if (!computed) return { schema: null, ...output, owned };
  return { ...byProperty(config, key, outputKey, owned), ...sourceIn(literal, key), ...output };
}

/** The literal that a config is, in place or as a const of the module. */
function literalOf(config: ts.Expression): ts.ObjectLiteralExpression | undefined {
  if (ts.isObjectLiteralExpression(config)) return config;
  const made = ts.isIdentifier(config) ? moduleConst(config) : undefined;
  const value = made && unwrap(made);
  return value && ts.isObjectLiteralExpression(value) ? value : undefined;
}

function byProperty(
  config: ts.Expression,
  key: string,
  outputKey: string,
  owned: readonly ts.ObjectLiteralExpression[],
): ConfigPart {
  return {
    schema: config,
    property: key,
    schemaSource: { span: span(config), key },
    output: config,
    outputProperty: outputKey,
    owned,
  };
}

/** Where a person finds the schema of a config that is read by property: where the literal has it. */
function sourceIn(literal: ts.ObjectLiteralExpression, key: string): Pick<SchemaPart, 'schemaSource'> {
  const property = findProperty(literal, key);
  return property
    ? { schemaSource: { span: span(unwrap(propertyValue(property))), property: span(property), key } }
    : {};
}

function outputOf(literal: ts.ObjectLiteralExpression, key: string): Pick<ConfigPart, 'output' | 'outputProperty'> {
  const property = findProperty(literal, key);
  if (property) return { output: unwrap(propertyValue(property)) };
  return literal.properties.some(ts.isSpreadAssignment) ? { output: literal, outputProperty: key } : { output: null };
}

/** Whether nothing after a property can replace it. */
function isLast(literal: ts.ObjectLiteralExpression, property: ts.ObjectLiteralElementLike): boolean {
  const { properties } = literal;
  return !properties.slice(properties.indexOf(property) + 1).some(ts.isSpreadAssignment);
}
