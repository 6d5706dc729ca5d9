import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { permissionArguments } from '../../../server/src/evaluation/permission.ts';
import type { FromSandbox, Sealed } from '../../../server/src/evaluation/sandbox/messages.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'locked-')));
const entry = join(folder, 'locked.mjs');
const KEY = 'the key of this test';

/** A locked-down process and what came from it. */
class Locked {
  readonly messages: FromSandbox[] = [];
  readonly child: ChildProcess;
  private id = 0;
  private changed = (): void => {};
  private ended: string | undefined;

  constructor(flags: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
    this.child = fork(entry, [], {
      execArgv: ['--no-warnings', ...flags],
      serialization: 'json',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env,
    });
    this.child.on('exit', (code, signal) => {
      this.ended = `the process ended with ${code ?? signal}`;
      this.changed();
    });
    this.child.on('message', (message) => {
      this.messages.push(message as FromSandbox);
      this.changed();
    });
    this.send({ key: KEY });
  }

  private send(sealed: Sealed): void {
    if (this.child.connected) this.child.send(sealed);
  }

  async until<T>(find: (message: FromSandbox) => T | undefined): Promise<T> {
    for (;;) {
      for (const message of this.messages) {
        const found = find(message);
        if (found !== undefined) return found;
      }
      if (this.ended) throw new Error(this.ended);
      await new Promise<void>((resolve) => {
        this.changed = resolve;
      });
    }
  }

  /** Runs code in it: what it returned, or `Error: message`. */
  async run(code: string): Promise<unknown> {
    const id = ++this.id;
    this.send({ key: KEY, message: { id, method: 'evaluate', params: { code } } });
    return this.until((message) => {
      if (!('id' in message) || message.id !== id) return undefined;
      return 'error' in message ? message.error : message.result;
    });
  }

  /** Everything that was printed so far; `end` has to be printed last. */
  async printed(end: string): Promise<string> {
    const all = (): string => this.messages.map((message) => ('printed' in message ? message.printed : '')).join('');
    await this.until(() => (all().includes(end) ? true : undefined));
    return all();
  }
}

let locked: Locked;

beforeAll(async () => {
  await build({
    entryPoints: [join(import.meta.dirname, 'lockedProcess.ts')],
    outfile: entry,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  locked = new Locked([], { SECRET: 'shh', HOME: '/home/user' });
});
afterAll(() => {
  locked.child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const UNAVAILABLE = /Refused: .* is not available while a tool contract is evaluated/;
const port = 9;

describe('what user code reaches for throws, and names itself', () => {
  test.each([
    ['process.kill(process.ppid, 0)', /process\.kill is/],
    ['process._kill(process.ppid, 9)', /process\._kill is/],
    ['process.reallyExit(0)', /process\.reallyExit is/],
    ['process.abort()', /process\.abort is/],
    ['process.dlopen({ exports: {} }, "x.node")', /process\.dlopen is/],
    ['process.binding("spawn_sync")', /process\.binding is/],
    ['process._debugProcess(process.ppid)', /process\._debugProcess is/],
    ['process._getActiveHandles()', /process\._getActiveHandles is/],
    ['process.report.writeReport()', /process\.report\.writeReport is/],
    ['delete process.kill; process.kill(process.ppid, 0)', /.*/],
    ['require("child_process").execSync("true")', /child_process\.execSync is/],
    ['require("node:child_process").spawn("true")', /child_process\.spawn is/],
    ['new (require("child_process").ChildProcess)()', /child_process\.ChildProcess is/],
    ['(await load("node:child_process")).exec("true")', /child_process\.exec is/],
    ['(await load("child_process")).default.fork("x")', /child_process\.fork is/],
    ['require("child_process").exec = () => 1; require("child_process").exec("true")', /child_process\.exec is/],
    ['require("cluster").fork()', /cluster\.fork is/],
    ['new (require("worker_threads").Worker)("1", { eval: true })', /worker_threads\.Worker is/],
    ['new (await load("node:worker_threads")).Worker("1", { eval: true })', /worker_threads\.Worker is/],
    ['require("inspector").open()', /inspector\.open is/],
    ['new (require("inspector").Session)()', /inspector\.Session is/],
    ['new (await load("node:inspector/promises")).Session()', /Session is/],
    ['require("trace_events").createTracing({ categories: ["v8"] })', /trace_events\.createTracing is/],
    ['new (require("wasi").WASI)({ version: "preview1" })', /wasi\.WASI is/],
    ['require("v8").setFlagsFromString("--expose-gc")', /v8\.setFlagsFromString is/],
    ['require("v8").writeHeapSnapshot("x")', /v8\.writeHeapSnapshot is/],
    ['require("module").register("./x.mjs")', /module\.register is/],
    [`require("net").connect(${port}, "127.0.0.1")`, /net\.Socket\.connect is/],
    [`(await load("node:net")).createConnection(${port})`, /net\.Socket\.connect is/],
    ['require("net").createServer().listen(0)', /net\.Server\.listen is/],
    ['require("net")._createServerHandle("127.0.0.1", 0, 4)', /net\._createServerHandle is/],
    ['require("http").createServer().listen(0)', /net\.Server\.listen is/],
    [`require("http").get("http://127.0.0.1:${port}")`, /net\.Socket\.connect is/],
    [`require("tls").connect(${port}, "127.0.0.1")`, /net\.Socket/],
    [`require("http2").connect("http://127.0.0.1:${port}")`, /net\.Socket\.connect is/],
    ['require("dgram").createSocket("udp4").bind(0)', /dgram\.Socket\.bind is/],
    [`require("dgram").createSocket("udp4").send("x", ${port}, "127.0.0.1")`, /dgram\.Socket\.send is/],
    ['require("dgram")._createSocketHandle("127.0.0.1", 0, "udp4")', /dgram\._createSocketHandle is/],
    ['require("dns").lookup("localhost", () => {})', /dns\.lookup is/],
    ['require("dns").resolve4("localhost", () => {})', /dns\.resolve4 is/],
    ['(await load("node:dns/promises")).lookup("localhost")', /dns\.lookup is/],
    ['await require("dns").promises.resolve("localhost")', /dns\.resolve is/],
    ['new (require("dns").Resolver)().resolve4("localhost", () => {})', /dns\.Resolver\.resolve4 is/],
    ['await new (require("dns").promises.Resolver)().resolve("localhost")', /dns\.Resolver\.resolve is/],
    ['new (require("net").Socket)({ fd: 3 })', /net\.Socket\(\{ fd \}\) is/],
    ['new (require("net").Socket.prototype.constructor)({ fd: 3 })', /net\.Socket\(\{ fd \}\) is/],
    ['new (Object.getPrototypeOf(require("tls").TLSSocket))({ fd: 3 })', /net\.Socket\(\{ fd \}\) is/],
    ['require("fs").writeSync(3, "x")', /writing to a file descriptor is/],
    ['require("fs").writevSync(3, [Buffer.from("x")])', /writing to a file descriptor is/],
    ['require("fs").writeFileSync(3, "x")', /writing to a file descriptor is/],
    ['(await load("node:fs")).writeSync(3, "x")', /writing to a file descriptor is/],
    ['new (await load("node:net")).Socket({ fd: 3 })', /net\.Socket\(\{ fd \}\) is/],
    ['(await load("node:fs")).appendFileSync(3, "x")', /writing to a file descriptor is/],
    [
      'await new Promise((ok, no) => require("fs").write(3, "x", (error) => error ? no(error) : ok()))',
      /writing to a file/,
    ],
    [
      'await new Promise((ok, no) => require("fs").createWriteStream("", { fd: 3 }).on("error", no).end("x"))',
      /(writing to a|closing this) file/,
    ],
  ])('%s', async (code, sentence) => {
    const answer = await locked.run(code);
    expect(answer).toMatch(sentence.source === '.*' ? /TypeError|Refused/ : UNAVAILABLE);
    expect(answer).toMatch(sentence);
  });

  test.each(['execve', 'getBuiltinModule'])('process.%s, where the runtime has it', async (name) => {
    const code =
      name === 'execve'
        ? 'process.execve("/bin/true", [])'
        : 'process.getBuiltinModule("child_process").execSync("true")';
    const has = await locked.run(`return typeof process.${name}`);
    expect(await locked.run(code)).toMatch(has === 'function' ? UNAVAILABLE : /is not a function/);
  });

  test('node:sqlite, where the runtime has it', async () => {
    const file = join(folder, 'database');
    const answer = await locked.run(`new (require("node:sqlite").DatabaseSync)(${JSON.stringify(file)})`);
    expect(answer).toMatch(/sqlite\.DatabaseSync is not available|No such built-in module/);
    expect(existsSync(file)).toBe(false);
  });

  test('process.exit says who called it, and ends nothing', async () => {
    expect(await locked.run('process.exit(3)')).toBe('Error: process.exit(3) was called');
    expect(await locked.run('(await load("node:process")).exit()')).toBe('Error: process.exit() was called');
    expect(await locked.run('process.exit = () => "mine"; process.exit(1)')).toBe('Error: process.exit(1) was called');
    expect(await locked.run('return 1')).toBe(1);
  });

  test('no request leaves by fetch', async () => {
    let connections = 0;
    const server = createServer(() => connections++).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    expect(await locked.run(`await fetch("http://127.0.0.1:${port}")`)).toMatch(/fetch failed/);
    expect(connections).toBe(0);
    server.close();
  });
});

describe('the channel', () => {
  test('is not to be seen', async () => {
    for (const name of ['send', '_send', '_disconnect', '_channel']) {
      expect(
        await locked.run(
          `return process.${name} === undefined || (() => { try { process.${name}({ id: 1 }); } catch { return true; } })()`,
        ),
      ).toBe(true);
    }
    expect(await locked.run('return [process.connected, Object.keys(process.channel)]')).toEqual([false, []]);
    expect(
      await locked.run(
        'return Object.getOwnPropertySymbols(process).map(String).filter((name) => /channel/i.test(name))',
      ),
    ).toEqual([]);
  });

  test('user code does not hear what the server says, and cannot cut it off', async () => {
    const code = `
      globalThis.heard = 0;
      process.on("message", () => globalThis.heard++);
      process.removeAllListeners();
      process.disconnect();
      process.emit = () => false;
      process.listenerCount = () => 0;
      process.channel = null;`;
    await locked.run(code);
    await locked.run('process.on("message", () => globalThis.heard++)');
    expect(await locked.run('return globalThis.heard')).toBe(0);
    await locked.run('console.log("heard nothing")');
    expect(await locked.printed('heard nothing')).not.toContain('TypeError');
  });

  test('user code cannot send itself messages in the name of the server', async () => {
    const forged = `{ id: 999_999, method: "evaluate", params: { code: "return 'forged'" } }`;
    await locked.run(`
      const message = ${forged};
      for (const key of [undefined, null, "", "a guess"]) process.emit("message", { key, message });
      process.emit("message", message);
      for (const nothing of [undefined, null, 1, "text"]) process.emit("message", nothing);
      require("events").prototype.emit.call(process, "message", message);
      process.emit("internalMessage", { cmd: "NODE_HANDLE", type: "net.Native", msg: message }, {});`);
    expect(await locked.run('return "heard"')).toBe('heard');
    expect(locked.messages).not.toContainEqual(expect.objectContaining({ id: 999_999 }));
  });

  test('user code does not see the key that messages carry', async () => {
    const attack = new Locked();
    await attack.run(`
      const { nextTick } = process;
      globalThis.seen = [];
      process.nextTick = (...all) => { globalThis.seen.push(all); return nextTick.apply(process, all); };
      const init = (id, type, trigger, resource) => globalThis.seen.push([resource.args]);
      require("async_hooks").createHook({ init }).enable();
      (await load("node:async_hooks")).createHook({ init }).enable().disable();`);
    await attack.run('return 1');
    expect(await attack.run('return JSON.stringify(globalThis.seen)')).not.toContain(KEY);
    expect(await attack.run('return new Promise((resolve) => process.nextTick(resolve, "ticks"))')).toBe('ticks');
    attack.child.kill('SIGKILL');
  });

  test('an error that is left to the event loop is printed and ends nothing', async () => {
    await locked.run('setTimeout(() => { throw new Error("later") }, 0); Promise.reject(new Error("never handled"));');
    await locked.printed('later');
    await locked.printed('never handled');
    expect(await locked.run('return 2')).toBe(2);
  });
});

describe('streams', () => {
  test('what is printed is reported, and nothing reaches the real streams', async () => {
    const real: string[] = [];
    for (const stream of [locked.child.stdout, locked.child.stderr])
      stream?.on('data', (data) => real.push(String(data)));
    await locked.run(`
      console.log("by console");
      process.stdout.write("by stdout ");
      process.stderr.write(Buffer.from("by stderr "));
      require("fs").writeSync(1, "by descriptor ");
      require("fs").writeSync(2, Buffer.from("and another "));
      console.error("the end");`);
    const printed = await locked.printed('the end');
    for (const text of ['by console\n', 'by stdout ', 'by stderr ', 'by descriptor ', 'and another '])
      expect(printed).toContain(text);
    expect(real).toEqual([]);
  });

  test('a flood is cut', async () => {
    const before = locked.messages.length;
    await locked.run('for (let i = 0; i < 10_000; i++) console.log("x".repeat(100))');
    await locked.printed('more characters were printed');
    const size = JSON.stringify(locked.messages.slice(before)).length;
    expect(size).toBeLessThan(50_000);
  });

  test('have no handle, and stdin is at its end', async () => {
    expect(
      await locked.run(
        'return [process.stdout._handle, process.stderr._handle].every((handle) => handle === undefined)',
      ),
    ).toBe(true);
    expect(await locked.run('let all = ""; for await (const chunk of process.stdin) all += chunk; return all')).toBe(
      '',
    );
  });
});

test('reads of the environment are recorded', async () => {
  await locked.run('environmentReads()');
  const code = 'return [process.env.SECRET, process.env.MISSING ?? null, "HOME" in process.env, environmentReads()]';
  expect(await locked.run(code)).toEqual(['shh', null, true, ['HOME', 'MISSING', 'SECRET']]);
  expect(await locked.run('console.log("colours?"); return environmentReads()')).toEqual([]);
  expect(await locked.run('process.env.SET = 1; return process.env.SET')).toBe('1');
});

test('the process ends when the server is gone', async () => {
  const alone = new Locked();
  await alone.until((message) => ('ready' in message ? true : undefined));
  const exited = once(alone.child, 'exit');
  alone.child.disconnect();
  expect(await exited).toEqual([0, null]);
});

describe("Node's permission flag", () => {
  test('only what is listed may be read, and nothing written', async () => {
    const inside = join(folder, 'inside.txt');
    const outside = realpathSync(mkdtempSync(join(tmpdir(), 'outside-')));
    const secret = join(outside, 'secret.txt');
    writeFileSync(inside, 'mine');
    writeFileSync(secret, 'yours');
    const flags = permissionArguments([folder]);
    expect(flags).toHaveLength(2);
    const guarded = new Locked(flags);
    const { permission, node } = await guarded.until((message) => ('ready' in message ? message.ready : undefined));
    expect({ permission, node }).toEqual({ permission: true, node: process.version });
    const read = (file: string) => guarded.run(`return require("fs").readFileSync(${JSON.stringify(file)}, "utf8")`);
    expect(await read(inside)).toBe('mine');
    expect(await read(secret)).toMatch(/restricted|ERR_ACCESS_DENIED/);
    const written = join(folder, 'written.txt');
    expect(await guarded.run(`require("fs").writeFileSync(${JSON.stringify(written)}, "x")`)).toMatch(
      /restricted|ACCESS_DENIED/,
    );
    expect(existsSync(written)).toBe(false);
    guarded.child.kill('SIGKILL');
    rmSync(outside, { recursive: true });
  });

  test('is reported as off when it is', async () => {
    expect(await locked.until((message) => ('ready' in message ? message.ready.permission : undefined))).toBe(false);
  });
});
