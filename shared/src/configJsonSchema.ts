import { z } from 'zod';
import { configFileSchema, severitySetting } from './config.ts';
import type { JsonObject } from './model.ts';
import { RULES, rulePage } from './rules.ts';

/**
 * The JSON Schema of `tool-contracts.json` that ships as `schemas/tool-contracts.schema.json`: what `configFileSchema`
 * takes, and for each rule its code, what it reports and what it does when nothing is set.
 */
export function configJsonSchema(): JsonObject {
  const schema = z.toJSONSchema(configFileSchema, { target: 'draft-7', io: 'input' }) as JsonObject;
  const properties = schema.properties as JsonObject;
  const severities = [...severitySetting.options];
  const { description } = properties.rules as JsonObject;
  properties.rules = {
    ...(description === undefined ? {} : { description }),
    type: 'object',
    properties: Object.fromEntries(
      RULES.map((row) => [
        row.code,
        {
          description: `${row.description}\nBuilt in: ${row.severity}. ${rulePage(row.code)}`,
          enum: severities,
          default: 'default',
        },
      ]),
    ),
    additionalProperties: false,
  };
  return { title: 'Tool Contracts', ...schema };
}
