import { freeReferences, moduleConst } from './scopes.ts';
import { unwrap } from './syntax.ts';
import { ts } from './typescript.ts';

/** An expression that is one of several, as the program that runs decides. */
export type Choice =
  | { readonly is: 'branch'; readonly expression: ts.Expression }
  | { readonly is: 'if'; readonly condition: ts.Expression; readonly yes: Choice; readonly no: Choice | undefined }
  /** `a ?? b`, `a || b`: the second where the first is missing. */
  | { readonly is: 'else'; readonly first: Choice; readonly value: ts.Expression; readonly second: Choice };

/** How many consts that hold choices are looked through. */
const MAX_CONSTS = 3;

/**
 * The choice that an expression makes by `?:` and `&&`, also as a const of the module. A condition that the text decides,
 * or that a loop's variable or a parameter decides, is no choice: the program itself supplies its value.
 *
 * @returns a single branch when there is nothing to choose
 */
export function choiceOf(expression: ts.Expression, consts = 0): Choice {
  const value = unwrap(expression);
  const branch: Choice = { is: 'branch', expression: value };
  if (ts.isIdentifier(value)) {
    const made = consts < MAX_CONSTS ? moduleConst(value) : undefined;
    const choice = made && choiceOf(made, consts + 1);
    return choice && choice.is !== 'branch' ? choice : branch;
  }
  if (ts.isConditionalExpression(value)) {
    const truth = truthOf(value.condition);
    if (truth !== undefined) return choiceOf(truth ? value.whenTrue : value.whenFalse, consts);
    if (isSupplied(value.condition)) return branch;
    const [yes, no] = [choiceOf(value.whenTrue, consts), choiceOf(value.whenFalse, consts)];
    return { is: 'if', condition: value.condition, yes, no };
  }
  if (!ts.isBinaryExpression(value)) return branch;
  const { kind } = value.operatorToken;
  if (kind === ts.SyntaxKind.AmpersandAmpersandToken) {
    const truth = truthOf(value.left);
    if (truth) return choiceOf(value.right, consts);
    if (truth === false || isSupplied(value.left)) return branch;
    return { is: 'if', condition: value.left, yes: choiceOf(value.right, consts), no: undefined };
  }
  if (kind !== ts.SyntaxKind.BarBarToken && kind !== ts.SyntaxKind.QuestionQuestionToken) return branch;
  // What stands for a value that is missing is not to be had where the program has the value.
  const first = choiceOf(value.left, consts);
  return first.is === 'branch'
    ? branch
    : { is: 'else', first, value: value.left, second: choiceOf(value.right, consts) };
}

/** The branches of a choice, in source order. */
export function branchesOf(choice: Choice): ts.Expression[] {
  if (choice.is === 'branch') return [choice.expression];
  if (choice.is === 'else') return [...branchesOf(choice.first), ...branchesOf(choice.second)];
  return [...branchesOf(choice.yes), ...(choice.no ? branchesOf(choice.no) : [])];
}

/** The expressions that decide. */
export function conditionsOf(choice: Choice): ts.Expression[] {
  if (choice.is === 'branch') return [];
  if (choice.is === 'else') return [choice.value, ...conditionsOf(choice.first), ...conditionsOf(choice.second)];
  return [choice.condition, ...conditionsOf(choice.yes), ...(choice.no ? conditionsOf(choice.no) : [])];
}

/** What a condition is by its text, or by that of a const; undefined when only running it can tell. */
function truthOf(condition: ts.Expression, consts = 0): boolean | undefined {
  const value = unwrap(condition);
  if (value.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (value.kind === ts.SyntaxKind.FalseKeyword || value.kind === ts.SyntaxKind.NullKeyword) return false;
  if (ts.isStringLiteralLike(value)) return value.text !== '';
  if (ts.isNumericLiteral(value)) return Number(value.text) !== 0;
  if (ts.isPrefixUnaryExpression(value) && value.operator === ts.SyntaxKind.ExclamationToken) {
    const inner = truthOf(value.operand, consts);
    return inner === undefined ? undefined : !inner;
  }
  if (!ts.isIdentifier(value)) return undefined;
  if (value.text === 'undefined') return false;
  const made = consts < MAX_CONSTS ? moduleConst(value) : undefined;
  return made && truthOf(made, consts + 1);
}

/** Whether a condition is about a parameter or a loop's variable: each call and each round has its value. */
function isSupplied(condition: ts.Expression): boolean {
  const seen = new Set<ts.Node>();
  const isOf = (node: ts.Node): boolean =>
    freeReferences(node).some(({ name, found }) => {
      if (name === 'this') return true;
      if (!found || ts.isSourceFile(found.scope) || seen.has(found.declaration)) return false;
      seen.add(found.declaration);
      if (ts.isParameter(found.declaration) || ts.isIterationStatement(found.scope, false)) return true;
      return isOf(found.declaration);
    });
  return isOf(condition);
}
