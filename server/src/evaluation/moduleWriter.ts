import { start, unwrap } from '../discovery/syntax.ts';
import type { ts } from '../discovery/typescript.ts';
import type { CallTime } from './callTime.ts';
import { Output } from './edits.ts';
import { firstAwait } from './effects.ts';
import { type Instrumented, instrument } from './instrument.ts';
import { isNameless } from './moduleSyntax.ts';
import { Renderer } from './render.ts';
import { SITES } from './sandbox/messages.ts';
import type { Site } from './sites.ts';

/** Writes code for thunks of tools into a module that is being compiled. */
export interface ThunkWriter {
  /** A stand-in for the JavaScript of an expression or declaration of the module, instrumented. */
  render(node: ts.Node): string;
}

export type Thunks = (writer: ThunkWriter) => readonly (string | undefined)[];

/** Surrounds the number of a rendered part in a thunk's code. */
const STAND_IN = '\0';
const quote = (value: unknown): string => JSON.stringify(value);

/** Writes the parts of a module's code: see evaluation/sandbox/module.ts for what the calls on `$m` do. */
export class ModuleWriter {
  readonly output = new Output();
  readonly specifiers: string[] = [];
  private readonly parts: Instrumented;
  private readonly renderer: Renderer;

  constructor(
    source: ts.SourceFile,
    private readonly moduleNumber: number,
    { target, callTime }: { readonly target?: ts.ScriptTarget; readonly callTime?: CallTime },
  ) {
    this.parts = instrument(source, moduleNumber, callTime);
    this.renderer = new Renderer(source, this.parts, target);
    for (const specifier of this.parts.awaitedImports) this.specifier(specifier);
  }

  get sites(): readonly Site[] {
    return this.parts.sites.sites;
  }

  put(text: string): void {
    this.output.put(text);
  }

  /** Writes a statement, expression or declaration of the module. */
  render(node: ts.Node): void {
    this.renderer.render(node, this.output);
  }

  /** Enums and namespaces, lowered together. */
  lowered(statements: readonly (ts.EnumDeclaration | ts.ModuleDeclaration)[]): Output {
    const output = new Output();
    this.renderer.renderLowered(statements, output);
    return output;
  }

  /** Writes what the lowered parts call. */
  helpers(): void {
    for (const helper of this.renderer.helpers) this.output.put(`${helper}\n`);
  }

  /** Writes the tools' thunks. */
  tools(thunks: Thunks): void {
    const rendered: Output[] = [];
    const render = (node: ts.Node): string => {
      const part = new Output();
      this.renderer.render(node, part);
      return `${STAND_IN}${rendered.push(part) - 1}${STAND_IN}`;
    };
    thunks({ render }).forEach((code, index) => {
      if (code === undefined) return;
      this.output.put(`$m.tool(${index},()=>{`);
      code.split(STAND_IN).forEach((text, turn) => {
        const part = turn % 2 === 1 ? rendered[Number(text)] : undefined;
        if (part) this.output.append(part);
        else this.output.put(text);
      });
      this.output.put('});\n');
    });
  }

  /** A new site for a span of the module. */
  site(from: number, to: number): number {
    return this.moduleNumber * SITES + this.parts.sites.add(from, to, '');
  }

  /** The index of a specifier, which is added when it is new. */
  specifier(text: string): number {
    const known = this.specifiers.indexOf(text);
    return known >= 0 ? known : this.specifiers.push(text) - 1;
  }

  /** `()=>(expression)`, or what answers "awaits" when it does. */
  private thunk(name: string, expression: ts.Expression): void {
    const awaits = firstAwait(expression);
    if (awaits) {
      this.awaits(awaits);
      return;
    }
    const inner = unwrap(expression);
    // A function or class without a name is called like the variable that holds it.
    const named = isNameless(inner) ? quote(name) : undefined;
    this.output.put(named === undefined ? '()=>(' : `()=>({${named}:`);
    this.renderer.render(inner, this.output);
    this.output.put(named === undefined ? '\n)' : `\n})[${named}]`);
  }

  /** What throws that a value is awaited. */
  awaits(node: ts.Node): void {
    this.output.put(`$m.awaits(${this.site(start(node), node.end)})`);
  }

  /** A binding that is evaluated when it is first read. */
  lazy(local: string, position: number, initializer: ts.Expression | undefined, name = local): void {
    this.output.put(`$m.lazy(${quote(local)},${position},`);
    if (initializer) this.thunk(name, initializer);
    else this.output.put('()=>undefined');
    this.output.put(');\n');
  }
}
