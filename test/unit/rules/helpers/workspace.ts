import { expect } from 'vitest';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { ts } from '../../../../server/src/discovery/typescript.ts';
import { isRawShape, isSchema } from '../../../../server/src/evaluation/sandbox/describe.ts';
import { inputJsonSchema } from '../../../../server/src/evaluation/sandbox/jsonSchema.ts';
import { parse } from '../../../../server/src/evaluation/sandbox/parse.ts';
import { sample } from '../../../../server/src/evaluation/sandbox/sample.ts';
import { applyWhatIf } from '../../../../server/src/evaluation/sandbox/whatIf.ts';
import { applyEdits, checkAll, resolveFix } from '../../../../server/src/rules/index.ts';
import type { Probe, SourceText, Subject } from '../../../../server/src/rules/rule.ts';
import { type Config, DEFAULT_CONFIG } from '../../../../shared/src/config.ts';
import type { Candidate, Finding, Offer, Place, SchemaGraph, Unevaluated } from '../../../../shared/src/model.ts';
import { describe } from '../../sandbox/graph.ts';
import { instrument } from './instrument.ts';
import { Recording } from './recording.ts';

export const FILE = '/workspace/tools.ts';

interface Made {
  readonly subject: Subject;
  readonly objects: readonly object[];
  readonly zod: typeof z;
}
export interface Options {
  /** Another zod 4 than the newest, as `z`. */
  readonly zod?: unknown;
  /** Version of the SDK that the tools are mounted on. */
  readonly sdk?: string;
  /** Code of the text's own beside `z`, `z3` and `server`. */
  readonly scope?: Record<string, unknown>;
  readonly config?: Partial<Config>;
  readonly unevaluated?: readonly Unevaluated[];
  /** Answers that replace those of the real schemas. */
  readonly probe?: (real: Probe) => Probe;
  readonly subject?: (made: Subject) => Subject;
}

/**
 * Evaluates a source text with real schemas and checks its tools. In scope: `z` (zod 4), `z3` (zod 3) and a `server`
 * whose `registerTool`, `registerAppTool` and `tool` register; `define(name, schema)` is a tool that nothing registers.
 */
export async function check(text: string, options: Options = {}): Promise<Finding[]> {
  const made = await evaluate(text, options);
  const real = probeOf(made);
  const source: SourceText = {
    text: ({ file, span }) => (file === FILE ? text.slice(span.start, span.end) : undefined),
  };
  return checkAll(
    made.map(({ subject }) => options.subject?.(subject) ?? subject),
    options.unevaluated ?? [],
    options.probe?.(real) ?? real,
    source,
    { ...DEFAULT_CONFIG, ...options.config },
    {
      files: [FILE],
      onDefect: ({ error }) => {
        throw error;
      },
    },
  );
}

/** Findings as `rule severity: reported text`, for short expectations. */
export async function summary(text: string, options: Options = {}): Promise<string[]> {
  return (await check(text, options)).map(({ rule, severity, at }) => `${rule} ${severity}: ${textOf(text, at)}`);
}

export function textOf(text: string, { span }: Place): string {
  return text.slice(span.start, span.end);
}

/** The one finding of a text. */
export async function only(text: string, options: Options = {}): Promise<Finding> {
  const findings = await check(text, options);
  expect(findings.map(({ message }) => message)).toHaveLength(1);
  return findings[0] as Finding;
}

/** Applies a fix of the first finding of a text, checks again, and answers the new text: the finding must be gone. */
export async function fixed(text: string, title: string, options: Options = {}): Promise<string> {
  const [finding] = await check(text, options);
  const fix = finding?.fixes.find((one) => one.title === title);
  expect(finding?.fixes.map((one) => one.title)).toContain(title);
  if (!finding || !fix) throw new Error('unreachable');
  const edits = resolveFix(finding, fix.id, () => text);
  const changed = applyEdits(text, edits ?? []);
  expect(changed).not.toBe(text);
  expect((await check(changed, options)).filter(({ rule }) => rule === finding.rule)).toEqual([]);
  return changed;
}

async function evaluate(text: string, { sdk = '1.32.2', scope = {}, zod }: Options): Promise<Made[]> {
  const own = (zod ?? z) as typeof z;
  const recording = new Recording(FILE);
  const tools: Registered[] = [];
  const add = (name: string, schema: unknown, way: Candidate['way'], claimed: boolean): void => {
    const call = { file: FILE, span: { ...recording.current } };
    tools.push({ name, schema, way, claimed, sdk, index: tools.length, zod: own, call });
  };
  const register = (name: string, config: { inputSchema?: unknown }): void =>
    add(name, config.inputSchema, 'registerTool', true);
  const server = {
    registerTool: register,
    registerAppTool: register,
    tool: (name: string, ...rest: unknown[]): void =>
      add(
        name,
        rest.find((arg) => isRawShape(arg)),
        'server.tool',
        true,
      ),
  };
  const define = (name: string, schema: unknown): void => add(name, schema, 'definition', false);
  const names = { z: own, z3, server, define, ...scope };
  new Function('$', ...Object.keys(names), instrument(text))(recording, ...Object.values(names));
  return Promise.all(tools.map((tool) => makeSubject(text, recording, tool)));
}

interface Registered {
  readonly name: string;
  readonly schema: unknown;
  readonly way: Candidate['way'];
  readonly claimed: boolean;
  readonly sdk: string;
  readonly index: number;
  readonly zod: typeof z;
  readonly call: Place;
}

async function makeSubject(text: string, recording: Recording, tool: Registered): Promise<Made> {
  const { schema, sdk, zod, call } = tool;
  const root = isSchema(schema) ? schema : wrap((schema ?? {}) as Record<string, object>, zod);
  const { graph: wire, objects } = describe(root, recording);
  const place = (site: number): Place => recording.sites[site]?.place as Place;
  const flows = (
    from: readonly { owner: object | number; read: number }[] | undefined,
    id: (owner: object | number) => number,
  ) => (from ?? []).map(({ owner, read }) => ({ owner: id(owner), read: place(read) }));
  // What flowed into a raw shape is said of its wrapper, whose owners must be part of the graph: describe them with it.
  const shapeFlows = schema === root || !schema ? [] : recording.flowsOf(schema as object);
  const described =
    shapeFlows.length > 0 ? describe(root, withFlows(recording, root, shapeFlows)) : { graph: wire, objects };
  const graph: SchemaGraph = {
    ...described.graph,
    nodes: described.graph.nodes.map(({ origin, rebuiltFrom, ...node }) => ({
      ...node,
      ...(origin !== undefined && { origin: recording.sites[origin] as { place: Place; method: string } }),
      ...(rebuiltFrom && { rebuiltFrom: flows(rebuiltFrom, (owner) => owner as number) }),
    })),
  };
  const advertised = await inputJsonSchema(root, FILE, loadFrom(zod));
  const id = `${FILE}#${tool.index}:0`;
  const definition = definitionOf(text, tool.name);
  const offer: Offer = {
    surface: { id: 'mcp-v1', sdk: '@modelcontextprotocol/sdk', version: sdk },
    contract: id,
    advertised: 'schema' in advertised ? advertised.schema : null,
    outputSchema: null,
  };
  return {
    objects: described.objects,
    zod,
    subject: {
      contract: {
        id,
        candidate: {
          id: `${FILE}#${tool.index}`,
          file: FILE,
          way: tool.way,
          certain: true,
          ...(tool.claimed && { claim: 'mcp-v1' as const }),
          span: call.span,
        },
        name: tool.name,
        form: schema === root ? 'schema' : schema ? 'raw-shape' : 'none',
        graph,
        output: null,
        rebuiltFrom: schema === root ? [] : (graph.nodes[graph.root]?.rebuiltFrom ?? []),
        definedAt: definition ?? call,
        registeredAt: definition ? call : null,
        files: [FILE],
        environment: [],
      },
      offers: [offer],
    },
  };
}

function withFlows(recording: Recording, root: object, flows: readonly { owner: object; read: number }[]): Recording {
  return Object.assign(Object.create(recording), {
    flows: (schema: object) => (schema === root ? flows : recording.flows(schema)),
  });
}

/** The object literal that defines a tool by its name, when there is one beside the call that registers it. */
function definitionOf(text: string, name: string): Place | undefined {
  const source = ts.createSourceFile(FILE, text, ts.ScriptTarget.Latest, true);
  let found: Place | undefined;
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'name' && node.initializer.getText() === `'${name}'`) {
      found = { file: FILE, span: { start: node.parent.getStart(), end: node.parent.end } };
    }
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

function wrap(shape: Record<string, object>, zod: typeof z): object {
  const isZod3 = Object.values(shape).some((field) => !('_zod' in field));
  return isZod3 ? z3.object(shape as never) : zod.object(shape as never);
}

function probeOf(made: readonly Made[]): Probe {
  const by = (contract: string): Made => {
    const found = made.find(({ subject }) => subject.contract.id === contract);
    if (!found) throw new Error(`no contract ${contract}`);
    return found;
  };
  const parseNode: Probe['parse'] = async (contract, node, value, whatIf) => {
    const { objects } = by(contract);
    return parse(whatIf ? applyWhatIf(objects, whatIf) : (objects[node] as object), value);
  };
  return {
    parse: parseNode,
    sample: async (request) => sample(by(request.contract).objects, request),
    call: (offer, args) => parseNode(offer.contract, 0, args),
    jsonSchema: (contract, node) => {
      const { objects, zod } = by(contract);
      return inputJsonSchema(objects[node] as object, FILE, loadFrom(zod));
    },
  };
}

function loadFrom(zod: typeof z): (specifier: string) => Promise<Record<string, unknown>> {
  return async (specifier) => {
    if (specifier === 'zod') return zod;
    throw new Error(`${specifier} is not installed`);
  };
}
