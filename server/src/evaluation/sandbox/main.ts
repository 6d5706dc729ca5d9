import type { JsonObject, Outcome, SurfaceId } from '../../../../shared/src/model.ts';
import { Contracts } from './contracts.ts';
import { type Driver, type DriverSession, NotInstalled } from './driver.ts';
import { Evaluator } from './evaluate.ts';
import { ExportValues } from './exportValues.ts';
import { Externals } from './externals.ts';
import { watchRegistry } from './globalRegistry.ts';
import { inputJsonSchema } from './jsonSchema.ts';
import type {
  Forget,
  FromSandbox,
  Method,
  ModuleForm,
  ModuleSource,
  Requests,
  Sample,
  SurfaceAnswer,
  ToSandbox,
} from './messages.ts';
import { parse } from './parse.ts';
import { Provenance } from './provenance.ts';
import { Registry } from './registry.ts';
import { sample } from './sample.ts';
import { messageOf } from './schema.ts';
import { applyWhatIf } from './whatIf.ts';

/** What the sandbox's entry point gives it. */
export interface SandboxOptions {
  /** The channel to the server; user code cannot reach it. */
  readonly send: (message: FromSandbox) => void;
  readonly onMessage: (listener: (message: ToSandbox) => void) => void;
  /** Whether Node's permission flag is on. */
  readonly permission: boolean;
  /** Names of `process.env` that were read since the last question. */
  readonly environmentReads: () => readonly string[];
  readonly drivers: ReadonlyMap<SurfaceId, Driver>;
  /** Node's own resolution and import, taken before user code could change them. */
  readonly resolve: (specifier: string, parent: string) => string;
  readonly importModule: (url: string) => Promise<Record<string, unknown>>;
}

/** Milliseconds after which a long batch says that it goes on. */
const TELL_MS = 50;

type Request = Extract<ToSandbox, { readonly id: number }>;
type Handlers = { [M in Method]: (params: Requests[M]['params']) => Promise<Requests[M]['result']> };

/** Answers the server's requests, one after the other, until the process ends. */
export function startSandbox(options: SandboxOptions): void {
  const sandbox = new Sandbox(options);
  let last: Promise<void> = Promise.resolve();
  options.onMessage((message) => {
    if ('supplied' in message) sandbox.supplied(message.supplied, message.modules);
    else last = last.then(() => sandbox.answer(message));
  });
  options.send({ ready: { node: process.version, permission: options.permission } });
}

class Sandbox {
  private readonly provenance = new Provenance();
  private readonly externals: Externals;
  private readonly registry: Registry;
  private readonly contracts: Contracts;
  private readonly evaluator: Evaluator;
  private readonly exportValues: ExportValues;
  private readonly sessions = new Map<string, DriverSession>();
  private readonly supplies = new Map<number, (modules: readonly ModuleSource[]) => void>();
  private nextSupply = 1;

  constructor(private readonly options: SandboxOptions) {
    this.externals = new Externals(options.resolve, options.importModule, (namespace) =>
      watchRegistry(namespace, {
        isSuperseded: (registered, now) => this.provenance.isSuperseded(registered, now),
        described: (schema) => this.contracts.described(schema),
      }),
    );
    this.registry = new Registry(this.externals, this.provenance);
    this.contracts = new Contracts(this.provenance, this.externals);
    const host = {
      supply: (files: readonly string[], form: ModuleForm) =>
        new Promise<readonly ModuleSource[]>((resolve) => {
          const id = this.nextSupply++;
          this.supplies.set(id, resolve);
          options.send({ supply: id, files, form });
        }),
      outgrown: (files: readonly string[]) => {
        options.send({ outgrown: files });
        return new Promise<never>(() => {});
      },
      environmentReads: options.environmentReads,
      begun: (candidate: string) => options.send({ begun: candidate }),
    };
    this.evaluator = new Evaluator(this.registry, this.provenance, this.externals, this.contracts, host);
    this.exportValues = new ExportValues(this.registry, this.provenance, this.evaluator, host);
  }

  supplied(id: number, modules: readonly ModuleSource[]): void {
    this.supplies.get(id)?.(modules);
    this.supplies.delete(id);
  }

  async answer({ id, method, params, forget }: Request): Promise<void> {
    try {
      if (forget) this.forget(forget);
      const result = await this.handlers[method](params as never);
      this.options.send({ id, result });
    } catch (error) {
      this.options.send({ id, error: messageOf(error) });
    }
  }

  private readonly handlers: Handlers = {
    evaluate: async ({ jobs, modules, importMs }) => {
      this.externals.limitMs = importMs;
      for (const source of modules) this.registry.supply(source);
      return this.evaluator.evaluate(jobs);
    },
    exports: async ({ exports }) => ({ results: await this.exportValues.evaluate(exports) }),
    offer: (params) => this.evaluator.complete(() => this.offer(params)),
    call: async ({ calls }) => ({ outcomes: await this.each(calls, (call) => this.call(call)) }),
    parse: async ({ parses }) => ({
      outcomes: await this.each(parses, async ({ contract, node, value, whatIf }): Promise<Outcome> => {
        const { objects } = this.contracts.get(contract);
        const part = this.contracts.node(contract, node);
        try {
          return await parse(whatIf ? applyWhatIf(objects, whatIf) : part, value);
        } catch (error) {
          return { accepts: false, error: messageOf(error) };
        }
      }),
    }),
    sample: async ({ samples }) => ({
      samples: await this.each(samples, async (request): Promise<Sample> => {
        const { objects } = this.contracts.get(request.contract);
        try {
          return sample(objects, request);
        } catch (error) {
          return { found: false, reason: messageOf(error) };
        }
      }),
    }),
    jsonSchema: async ({ nodes }) => ({
      schemas: await this.each(nodes, ({ contract, node, dialect }) =>
        inputJsonSchema(
          this.contracts.node(contract, node),
          this.contracts.get(contract).file,
          this.externals.load,
          dialect,
        ),
      ),
    }),
  };

  private forget({ changed, affected, contracts }: Forget): void {
    this.registry.invalidate(changed, affected);
    this.contracts.release(contracts);
    for (const session of new Set(this.sessions.values())) session.release(contracts);
    for (const contract of contracts) {
      for (const surface of this.options.drivers.keys()) this.sessions.delete(`${surface} ${contract}`);
    }
  }

  /** Answers the questions of a batch one after the other; each has the whole time limit for itself. */
  private async each<Question, Answer>(
    questions: readonly Question[],
    answer: (question: Question) => Promise<Answer>,
  ): Promise<Answer[]> {
    const answers: Answer[] = [];
    let told = performance.now();
    for (const question of questions) {
      if (performance.now() - told > TELL_MS) {
        told = performance.now();
        this.options.send({ begun: null });
      }
      answers.push(await this.evaluator.complete(() => answer(question)));
    }
    return answers;
  }

  private async offer({ surface, from, tools }: Requests['offer']['params']): Promise<SurfaceAnswer> {
    const driver = this.options.drivers.get(surface);
    if (!driver) return { installed: false, reason: `the surface ${surface} is not known` };
    let session: DriverSession;
    try {
      session = await driver.open(this.externals, from);
    } catch (error) {
      if (error instanceof NotInstalled) return { installed: false, reason: error.message };
      throw error;
    }
    const offers = await session.offer(
      tools.map((tool) => {
        const kept = this.contracts.get(tool.contract);
        return { ...tool, schema: kept.registered, output: kept.output };
      }),
    );
    for (const { contract } of tools) this.sessions.set(`${surface} ${contract}`, session);
    const { sdk, version } = session;
    return { installed: true, ...(sdk !== undefined && { sdk }), ...(version !== undefined && { version }), offers };
  }

  private async call(call: { surface: SurfaceId; contract: string; arguments: JsonObject }): Promise<Outcome> {
    const session = this.sessions.get(`${call.surface} ${call.contract}`);
    if (!session) throw new Error(`the tool ${call.contract} is not offered on ${call.surface}`);
    return session.call(call.contract, call.arguments);
  }
}
