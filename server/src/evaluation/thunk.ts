import type { Span } from '../../../shared/src/model.ts';
import { branchesOf, type Choice, choiceOf, conditionsOf } from '../discovery/choices.ts';
import type { Found } from '../discovery/discover.ts';
import { freeReferences } from '../discovery/scopes.ts';
import { start } from '../discovery/syntax.ts';
import { ts } from '../discovery/typescript.ts';
import { callersOf, isIterationCallback, nameOfFunction } from './callers.ts';
import { firstAwait } from './effects.ts';
import type { ThunkWriter } from './moduleWriter.ts';
import { effectsOn, handsOn, keyword, parametersOf, type ScopeNeeds, Unsupplied } from './thunkLocals.ts';

/** Code that answers a tool's rows, or why there can be none. */
export type Thunk = { readonly code: string } | { readonly reason: string; readonly at: Span };

const AWAITED = 'it depends on a value that is awaited, which is not evaluated';
/** How far wrappers of wrappers are followed. */
const MAX_WRAPPERS = 3;

/**
 * Writes the code that evaluates a candidate where it stands: its locals are brought along, loops around it are run,
 * and a same-file wrapper that hands on its parameters is called as its callers call it.
 *
 * The code answers rows `{ name, schema, output, site }`: functions that evaluate the parts, and the span of the
 * wrapper's caller.
 */
export function writeThunk(found: Found, writer: ThunkWriter): Thunk {
  const build = new ThunkBuilder(found, writer);
  try {
    return { code: build.code() };
  } catch (error) {
    if (!(error instanceof Unsupplied)) throw error;
    return { reason: error.reason, at: { start: start(error.node), end: error.node.end } };
  }
}

class ThunkBuilder {
  private serial = 0;

  constructor(
    private readonly found: Found,
    private readonly writer: ThunkWriter,
  ) {}

  code(): string {
    const { name } = this.found;
    const parts = this.partExpressions();
    const nameExpression = name && !('literal' in name) ? name : undefined;
    const literal = name && 'literal' in name ? `()=>${JSON.stringify(name.literal)}` : '()=>null';
    const row = (nameCode: string) =>
      `$rows.push({name:${nameCode},schema:${this.schemaCode()},output:${this.outputCode()},site:$site});${this.unchosenCode(nameCode)}`;
    let body: string;
    try {
      body = nameExpression
        ? this.surround(
            this.found.anchor,
            [...parts, nameExpression],
            row(`()=>(${this.writer.render(nameExpression)})`),
            0,
          )
        : this.surround(this.found.anchor, parts, row(literal), 0);
    } catch (error) {
      // A name that cannot be known is no reason to know nothing of the schema.
      if (!(error instanceof Unsupplied) || !nameExpression) throw error;
      body = this.surround(this.found.anchor, parts, row('()=>null'), 0);
    }
    return `const $rows=[];let $site;${body}return $rows;`;
  }

  private partExpressions(): ts.Expression[] {
    const { alternatives, schema, output } = this.found;
    const choice = this.choice();
    const chosen = choice ? [...branchesOf(choice), ...conditionsOf(choice)] : [];
    return [...(alternatives ?? (schema ? [schema] : [])), ...(output ? [output] : []), ...chosen];
  }

  /** The choice that the schema's expression makes, when there is more than one branch. */
  private choice(): Choice | undefined {
    const { alternatives, schema, property } = this.found;
    const choice = schema && !alternatives && property === undefined ? choiceOf(schema) : undefined;
    return choice?.is === 'branch' ? undefined : choice;
  }

  /** Rows of the branches that the schema's expression does not choose when it is evaluated here. */
  private unchosenCode(nameCode: string): string {
    const choice = this.choice();
    if (!choice) return '';
    const chosen = this.chosenCode(choice, 0);
    const rows = branchesOf(choice).map((branch, index) => {
      const schema = `()=>${chosen}===${index}?undefined:(${this.writer.render(branch)})`;
      return `{name:${nameCode},schema:${schema},output:()=>undefined,site:$site,unchosen:true}`;
    });
    return `$rows.push(${rows});`;
  }

  /** Code that answers the number of the branch that is chosen. */
  private chosenCode(choice: Choice, first: number): string {
    if (choice.is === 'branch') return String(first);
    const [front, back] = choice.is === 'if' ? [choice.yes, choice.no] : [choice.first, choice.second];
    const rest = back ? this.chosenCode(back, first + branchesOf(front).length) : '-1';
    const condition = this.writer.render(choice.is === 'if' ? choice.condition : choice.value);
    return `((${condition})?${this.chosenCode(front, first)}:${rest})`;
  }

  private schemaCode(): string {
    const { alternatives, schema, property } = this.found;
    if (alternatives && alternatives.length > 0) {
      const values = alternatives.map((expression) => this.writer.render(expression));
      return `()=>[${values}].find((value)=>typeof value==="object"&&value!==null)`;
    }
    if (!schema) return '()=>undefined';
    const rendered = `(${this.writer.render(schema)})`;
    return `()=>${property === undefined ? rendered : `${rendered}[${JSON.stringify(property)}]`}`;
  }

  private outputCode(): string {
    const { output, outputProperty } = this.found;
    if (!output) return '()=>undefined';
    const rendered = `(${this.writer.render(output)})`;
    return `()=>${outputProperty === undefined ? rendered : `${rendered}[${JSON.stringify(outputProperty)}]`}`;
  }

  /** Puts code into what has to stand around it so that the expressions at `anchor` mean what they mean there. */
  private surround(anchor: ts.Node, expressions: readonly ts.Node[], inner: string, depth: number): string {
    const needs = this.needsOf(anchor, expressions, depth);
    let body = inner;
    for (const [scope, need] of [...needs].sort(([a], [b]) => b.pos - a.pos || a.end - b.end)) {
      const brought = this.declarations(scope, need, anchor);
      if (need.wrapper && ts.isFunctionLike(scope)) body = this.wrapped(scope, need.wrapper, brought + body, depth);
      else if (need.loop) body = this.looped(scope, need.loop, brought + body);
      else body = `{${brought}${body}}`;
    }
    return body;
  }

  private needsOf(anchor: ts.Node, expressions: readonly ts.Node[], depth: number): Map<ts.Node, ScopeNeeds> {
    const needs = new Map<ts.Node, ScopeNeeds>();
    const seen = new Set<ts.Node>();
    const need = (scope: ts.Node): ScopeNeeds => {
      let known = needs.get(scope);
      if (!known) {
        known = { declarations: new Set() };
        needs.set(scope, known);
      }
      return known;
    };
    const take = (node: ts.Node): void => {
      for (const reference of freeReferences(node)) {
        if (reference.name === 'this') {
          this.refuseThis(reference.node, node);
          continue;
        }
        const found = reference.found;
        if (!found || ts.isSourceFile(found.scope) || seen.has(found.declaration)) continue;
        seen.add(found.declaration);
        const { declaration, scope } = found;
        if (scope.pos > anchor.pos || scope.end < anchor.end) continue;
        this.takeLocal(reference, declaration, scope, need, take, depth);
      }
    };
    for (const expression of expressions) {
      const awaits = firstAwait(expression);
      if (awaits) throw new Unsupplied(AWAITED, awaits);
      take(expression);
    }
    return needs;
  }

  private takeLocal(
    reference: { readonly name: string; readonly node: ts.Node },
    declaration: ts.Node,
    scope: ts.Node,
    need: (scope: ts.Node) => ScopeNeeds,
    take: (node: ts.Node) => void,
    depth: number,
  ): void {
    if (ts.isParameter(declaration) && ts.isFunctionLike(scope)) {
      this.takeParameter(reference, declaration, scope, need, take, depth);
      return;
    }
    if (ts.isForOfStatement(scope) || ts.isForInStatement(scope)) {
      need(scope).loop = { over: scope.expression, kind: ts.isForOfStatement(scope) ? 'of' : 'in' };
      take(scope.expression);
      return;
    }
    if (ts.isForStatement(scope) || ts.isCatchClause(scope)) {
      throw new Unsupplied(`it depends on "${reference.name}", which only a running loop or catch has`, reference.node);
    }
    const awaits = firstAwait(declaration);
    if (awaits) throw new Unsupplied(AWAITED, awaits);
    need(scope).declarations.add(declaration);
    take(declaration);
    for (const statement of effectsOn(reference.name, declaration, scope)) {
      if (need(scope).declarations.has(statement)) continue;
      need(scope).declarations.add(statement);
      take(statement);
    }
  }

  private takeParameter(
    reference: { readonly name: string; readonly node: ts.Node },
    parameter: ts.ParameterDeclaration,
    scope: ts.SignatureDeclaration,
    need: (scope: ts.Node) => ScopeNeeds,
    take: (node: ts.Node) => void,
    depth: number,
  ): void {
    const over = isIterationCallback(scope);
    if (over) {
      need(scope).loop = { over, kind: 'callback' };
      take(over);
      return;
    }
    const callers = depth < MAX_WRAPPERS ? callersOf(scope) : [];
    if (callers.length > 0) {
      const needs = need(scope);
      needs.wrapper ??= { callers, used: new Set() };
      needs.wrapper.used.add(parametersOf(scope).indexOf(parameter));
      if (parameter.initializer) take(parameter.initializer);
      return;
    }
    if (parameter.initializer) {
      need(scope).declarations.add(parameter);
      take(parameter.initializer);
      return;
    }
    const owner = nameOfFunction(scope);
    throw new Unsupplied(
      `it depends on "${reference.name}", a parameter of ${owner ? `"${owner}"` : 'a function'} that nothing in this file supplies`,
      reference.node,
    );
  }

  private refuseThis(node: ts.Node, within: ts.Node): void {
    for (let current: ts.Node | undefined = node; current; current = current.parent) {
      if (ts.isClassLike(current) || (ts.isFunctionLike(current) && !ts.isArrowFunction(current))) {
        if (current.pos < within.pos || current.end > within.end) break;
        return;
      }
    }
    throw new Unsupplied('it depends on "this", which only a running instance has', node);
  }

  private declarations(scope: ts.Node, need: ScopeNeeds, anchor: ts.Node): string {
    let code = '';
    for (const node of [...need.declarations].sort((a, b) => a.pos - b.pos)) {
      if (ts.isParameter(node) || ts.isVariableDeclaration(node))
        code += `${keyword(node, scope)} ${this.writer.render(node)};`;
      else if (
        !ts.isStatement(node) ||
        ts.isFunctionDeclaration(node) ||
        ts.isClassDeclaration(node) ||
        node.end <= anchor.pos
      ) {
        code += `${this.writer.render(node)};`;
      }
    }
    return code;
  }

  private looped(scope: ts.Node, loop: NonNullable<ScopeNeeds['loop']>, body: string): string {
    const over = `(${this.writer.render(loop.over)})`;
    if (loop.kind === 'callback' && ts.isFunctionLike(scope)) {
      return `${over}.forEach((${parametersOf(scope).map((parameter) => this.writer.render(parameter))})=>{${body}});`;
    }
    if ((ts.isForOfStatement(scope) || ts.isForInStatement(scope)) && ts.isVariableDeclarationList(scope.initializer)) {
      const variable = scope.initializer.declarations[0];
      if (variable) return `for(const ${this.writer.render(variable.name)} ${loop.kind} ${over}){${body}}`;
    }
    throw new Unsupplied('it stands in a loop whose variable is declared elsewhere', scope);
  }

  /** The wrapper as a function, called from where its callers call it. */
  private wrapped(
    scope: ts.SignatureDeclaration,
    wrapper: NonNullable<ScopeNeeds['wrapper']>,
    body: string,
    depth: number,
  ): string {
    const name = `$f${this.serial++}`;
    let code = `{const ${name}=(${parametersOf(scope).map((parameter) => this.writer.render(parameter))})=>{${body}};`;
    let refusal: Unsupplied | undefined;
    let called = 0;
    for (const caller of wrapper.callers) {
      try {
        code += this.callerCode(caller, scope, wrapper.used, name, depth);
        called++;
      } catch (error) {
        if (!(error instanceof Unsupplied)) throw error;
        refusal = error;
      }
    }
    if (called === 0 && refusal) throw refusal;
    return `${code}}`;
  }

  private callerCode(
    caller: ts.CallExpression,
    scope: ts.SignatureDeclaration,
    used: ReadonlySet<number>,
    name: string,
    depth: number,
  ): string {
    const callee = caller.expression;
    const isReceiverLoop =
      ts.isPropertyAccessExpression(callee) && caller.arguments[0] !== undefined && handsOn(caller.arguments[0], scope);
    if (isReceiverLoop) {
      const over = callee.expression;
      return this.surround(
        caller,
        [over],
        `(${this.writer.render(over)}).forEach((item,index)=>${name}(item,index));`,
        depth + 1,
      );
    }
    const args = [...caller.arguments];
    const needed = args.filter((_, index) => used.has(index));
    const rendered = parametersOf(scope).map((_, index) => {
      const argument = args[index];
      return used.has(index) && argument ? this.writer.render(argument) : 'undefined';
    });
    const call = `{const $outer=$site;$site=$outer??[${start(caller)},${caller.end}];${name}(${rendered});$site=$outer;}`;
    return this.surround(caller, needed, call, depth + 1);
  }
}
