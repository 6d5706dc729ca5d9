import type { Sample, SampleRequest } from '../../../../server/src/evaluation/sandbox/messages.ts';
import type { Json, JsonObject, SchemaGraph, SchemaNode } from '../../../../shared/src/model.ts';

const STRINGS = ['a', 'abcd', 'https://example.com', '2024-01-01', 'a@b.co', '123e4567-e89b-42d3-a456-426614174000'];
const NUMBERS = [1, 0, 5, 10, 100, 0.5, -1];

class NoSample extends Error {}

/** A small sampler over a described schema. Every value is verified by `accepts`. */
export class Sampler {
  constructor(
    private readonly graph: SchemaGraph,
    private readonly accepts: (node: number, value: Json | undefined) => boolean,
  ) {}

  sample({ node, mode, through, replace, without }: SampleRequest): Sample {
    const last = through?.at(-1) ?? node;
    try {
      const value = this.value(node, {
        min: mode === 'min',
        through: new Set(through ?? []),
        at: last,
        ...(replace !== undefined && { replace }),
        without: new Set(without ?? []),
      });
      if (value === undefined || !this.accepts(node, value)) return { found: false, reason: 'no value was accepted' };
      return { found: true, value: JSON.parse(JSON.stringify(value)) };
    } catch (error) {
      if (error instanceof NoSample) return { found: false, reason: error.message };
      throw error;
    }
  }

  private value(id: number, how: How, depth = 0): Json | undefined {
    if (id === how.at && how.replace !== undefined) return how.replace;
    const node = this.graph.nodes[id];
    if (!node || depth > 12) throw new NoSample('too deep');
    const next = (child: number | undefined): Json | undefined => this.value(child ?? -1, how, depth + 1);
    switch (node.kind) {
      case 'object':
        return this.object(node, how, depth);
      case 'array': {
        if (how.min && !how.through.has(node.element ?? -1) && this.accepts(id, [])) return [];
        const item = next(node.element) ?? null;
        return [[item], [item, item], [item, item, item]].find((list) => this.accepts(id, list)) ?? [item];
      }
      case 'tuple':
        return (node.items ?? []).map((item) => next(item) ?? null);
      case 'record':
        if (how.min && !how.through.has(node.value ?? -1)) return {};
        return { [String(next(node.key))]: next(node.value) ?? null };
      case 'union': {
        const options = node.options ?? [];
        return next(options.find((option) => how.through.has(option)) ?? options[0]);
      }
      case 'intersection':
        return merge(next(node.left), next(node.right));
      case 'literal':
      case 'enum':
        return node.literals?.[0] ?? null;
      case 'boolean':
        return true;
      case 'null':
        return null;
      case 'string':
        return this.first(id, STRINGS);
      case 'number':
        return this.first(id, NUMBERS);
      case 'any':
      case 'unknown':
        return 'x';
      case 'pipe':
      case 'transform': {
        const input = this.graph.nodes[node.in ?? -1];
        return next(input && input.kind !== 'transform' ? input.id : (node.out ?? node.inner));
      }
      default:
        if (node.inner !== undefined) return next(node.inner);
        throw new NoSample(`no sample of ${node.kind}`);
    }
  }

  private object(node: SchemaNode, how: How, depth: number): JsonObject {
    const made: JsonObject = {};
    for (const [name, id] of Object.entries(node.fields ?? {})) {
      if (node.id === how.at && how.without.has(name)) continue;
      if (how.min && !how.through.has(id) && this.accepts(id, undefined)) continue;
      const value = this.value(id, how, depth + 1);
      if (value !== undefined) made[name] = value;
    }
    return made;
  }

  private first(id: number, values: readonly Json[]): Json {
    const value = values.find((candidate) => this.accepts(id, candidate));
    if (value === undefined) throw new NoSample('none fits');
    return value;
  }
}

interface How {
  readonly min: boolean;
  readonly through: ReadonlySet<number>;
  readonly at: number;
  readonly replace?: Json;
  readonly without: ReadonlySet<string>;
}

function merge(left: Json | undefined, right: Json | undefined): Json | undefined {
  return typeof left === 'object' && typeof right === 'object'
    ? { ...(left as JsonObject), ...(right as JsonObject) }
    : left;
}
