import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Modules, type ModuleUpdate } from '../../server/src/evaluation/modules.ts';
import { Contracts } from '../../server/src/evaluation/sandbox/contracts.ts';
import { Evaluator } from '../../server/src/evaluation/sandbox/evaluate.ts';
import { Externals } from '../../server/src/evaluation/sandbox/externals.ts';
import { watchRegistry } from '../../server/src/evaluation/sandbox/globalRegistry.ts';
import type { ModuleForm } from '../../server/src/evaluation/sandbox/messages.ts';
import { Provenance } from '../../server/src/evaluation/sandbox/provenance.ts';
import { Registry } from '../../server/src/evaluation/sandbox/registry.ts';
import { toContract, toUnevaluated } from '../../server/src/evaluation/toContract.ts';
import { Packages } from '../../server/src/files/packages.ts';
import { Resolver } from '../../server/src/files/resolution.ts';
import type { Candidate, Contract, Place, SchemaNode, Unevaluated } from '../../shared/src/model.ts';
import { MemoryTree } from './memoryTree.ts';

/** New texts by name; undefined: the file goes. */
type Changes = Readonly<Record<string, string | undefined>>;

/** Evaluates files in memory, in this process: what the pipeline and the sandbox do, without a border between them. */
export class InProcess {
  readonly tree: MemoryTree;
  readonly contracts = new Map<string, Contract>();
  readonly unevaluated = new Map<string, Unevaluated>();
  /** Names of the packages that were imported. */
  readonly loaded: string[] = [];
  /** Names of the workspace files that were asked for. */
  readonly supplied: string[] = [];
  private readonly modules: Modules;
  private readonly registry: Registry;
  private readonly evaluator: Evaluator;

  constructor(files: Readonly<Record<string, string>>) {
    this.tree = new MemoryTree(files);
    const resolver = new Resolver(this.tree, new Packages(this.tree));
    this.modules = new Modules(this.tree, resolver, () => []);
    const provenance = new Provenance();
    const externals = new Externals(
      (specifier, parent) => {
        const path = createRequire(parent).resolve(specifier);
        return path.startsWith('/') ? pathToFileURL(path).href : path;
      },
      (url) => {
        this.loaded.push(/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? url);
        return import(/* @vite-ignore */ url);
      },
      (namespace) =>
        watchRegistry(namespace, {
          isSuperseded: (registered, now) => provenance.isSuperseded(registered, now),
          described: (schema) => contracts.described(schema),
        }),
    );
    const contracts = new Contracts(provenance, externals);
    this.registry = new Registry(externals, provenance);
    this.evaluator = new Evaluator(this.registry, provenance, externals, contracts, {
      supply: async (wanted, form) => {
        this.supplied.push(...wanted.map((file) => this.nameOf(file)));
        return this.modules.supply(wanted, form);
      },
      outgrown: async (files) => {
        throw new Error(`a new process is needed for ${files}`);
      },
      environmentReads: () => [],
      begun: () => {},
    });
  }

  /** Evaluates every candidate of every file. */
  async all(): Promise<this> {
    await this.evaluate(this.tree.list());
    return this;
  }

  /** The code that the sandbox gets of a file. */
  codeOf(name: string, form: ModuleForm = 'plain'): string {
    return this.modules.supply([this.tree.path(name)], form)[0]?.code ?? '';
  }

  /** A file as it is compiled. */
  compiledOf(name: string): { readonly code: string; readonly specifiers: readonly string[] } {
    this.modules.get(this.tree.path(name));
    return this.modules.codeOf(this.tree.path(name)) ?? { code: '', specifiers: [] };
  }

  /** Compiles files as if something had imported them. */
  knows(...names: readonly string[]): void {
    for (const name of names) this.modules.get(this.tree.path(name));
  }

  /** Takes over changed files without evaluating anything. */
  updateModules(changes: Changes): ModuleUpdate {
    for (const [name, text] of Object.entries(changes)) {
      if (text === undefined) this.tree.remove(name);
      else this.tree.write(name, text);
    }
    return this.modules.update(Object.keys(changes).map((name) => this.tree.path(name)));
  }

  /** Takes over changed files and evaluates the candidates of the files that they affect; answers those files' names. */
  async update(changes: Changes): Promise<string[]> {
    const { changed, affected } = this.updateModules(changes);
    this.registry.invalidate(changed, affected);
    const touched = [...new Set([...changed, ...affected])];
    await this.evaluate(touched);
    return touched.map((file) => this.nameOf(file)).sort();
  }

  /** The tool of that name. */
  tool(name: string): Contract {
    const found = [...this.contracts.values()].find((contract) => contract.name === name);
    if (found) return found;
    const reasons = [...this.unevaluated.values()].map((each) => `${each.name}: ${each.reason}`);
    throw new Error(`no tool ${name}; there are ${[...this.names(), ...reasons].join(', ')}`);
  }

  names(): string[] {
    return [...this.contracts.values()].map((contract) => contract.name ?? '?').sort();
  }

  /** Why a tool is not evaluated; an error when it is. */
  failure(name: string): Unevaluated {
    const found = [...this.unevaluated.values()].find((each) => each.name === name);
    if (!found)
      throw new Error(
        `${name} did not fail; tools: ${this.names()}; failed: ${[...this.unevaluated.values()].map((each) => each.name)}`,
      );
    return found;
  }

  textOf(place: Place | undefined): string | undefined {
    return place && this.tree.read(place.file)?.slice(place.span.start, place.span.end);
  }

  nameOf(file: string): string {
    return file.slice(this.tree.root.length + 1);
  }

  private async evaluate(files: readonly string[]): Promise<void> {
    for (const list of [this.contracts, this.unevaluated])
      for (const [id, each] of list) if (files.includes(each.candidate.file)) list.delete(id);
    const candidates = new Map<string, Candidate>();
    for (const file of files) {
      for (const candidate of this.modules.offering(file)?.candidates ?? []) candidates.set(candidate.id, candidate);
    }
    const runnable = [...candidates.values()].filter((candidate) => {
      const refusal = candidate.unevaluable;
      if (refusal) {
        const at = { file: candidate.file, span: refusal.at };
        const name = candidate.name?.text ?? null;
        this.unevaluated.set(candidate.id, { candidate, name, reason: refusal.reason, at, trail: [], files: [] });
      }
      return !refusal;
    });
    const jobs = runnable.map(({ id, file }) => ({
      candidate: id,
      file,
      index: Number(id.slice(id.lastIndexOf('#') + 1)),
    }));
    const { results, objects } = await this.evaluator.evaluate(jobs);
    for (const result of results) {
      const candidate = candidates.get(result.candidate);
      if (!candidate) continue;
      if ('failure' in result) {
        this.unevaluated.set(candidate.id, toUnevaluated(candidate, result.failure, result.files, this.modules));
        continue;
      }
      if (result.partly) {
        this.unevaluated.set(candidate.id, toUnevaluated(candidate, result.partly, result.files, this.modules));
      }
      for (const wire of result.contracts) {
        const contract = toContract(candidate, wire, { ...result, objects }, this.modules);
        if (contract) this.contracts.set(contract.id, contract);
      }
    }
  }
}

/** Evaluates every tool of some files. */
export function evaluateFiles(files: Readonly<Record<string, string>>): Promise<InProcess> {
  return new InProcess(files).all();
}

/** What a test says about a schema in one line: kinds, fields and policies, such as `{a: string?, b: {…} strict}`. */
export function outline(contract: Contract): string {
  const { graph } = contract;
  if (!graph) return contract.form;
  const seen = new Set<number>();
  const of = (id: number | undefined): string => {
    const node = id === undefined ? undefined : graph.nodes[id];
    if (!node) return '-';
    if (seen.has(node.id)) return '↺';
    seen.add(node.id);
    const text = describe(node);
    seen.delete(node.id);
    return text;
  };
  const describe = (node: SchemaNode): string => {
    switch (node.kind) {
      case 'object': {
        const fields = Object.entries(node.fields ?? {}).map(([name, id]) => `${name}: ${of(id)}`);
        return `{${fields.join(', ')}}${node.policy === 'strip' ? '' : ` ${node.policy}`}`;
      }
      case 'optional':
        return `${of(node.inner)}?`;
      case 'default':
        return `${of(node.inner)}=${JSON.stringify(node.defaultValue)}`;
      case 'array':
        return `${of(node.element)}[]`;
      case 'union':
        return (node.options ?? []).map(of).join('|');
      case 'enum':
      case 'literal':
        return (node.literals ?? []).map((value) => JSON.stringify(value)).join('|');
      case 'lazy':
        return of(node.inner);
      default:
        return node.kind;
    }
  };
  return of(graph.root);
}
