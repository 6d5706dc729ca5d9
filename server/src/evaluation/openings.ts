import { keyText } from '../discovery/syntax.ts';
import { ts } from '../discovery/typescript.ts';

/** A place in a destructuring where the whole shape of an object is taken. */
export interface Opening {
  /** Keys from the value that is destructured to the shape; the last one is `shape`. */
  readonly path: readonly string[];
  readonly element: ts.BindingElement;
  /** The rest of the shape, when single fields are taken out of it: `{ shape: { id, ...others } }`. */
  readonly rest?: ts.Identifier;
}

/** How deep a destructuring is looked into. */
const MAX_DEPTH = 6;

/**
 * The places where a destructuring takes an object's whole shape: `{ shape }`, `{ boats: { shape: fields } }`. Those
 * that take single fields out of one (`{ shape: { id } }`) let nothing flow on.
 */
export function openingsOf(name: ts.BindingName, above: readonly string[] = []): Opening[] {
  if (!ts.isObjectBindingPattern(name) || above.length >= MAX_DEPTH || restOf(name)) return [];
  return name.elements.flatMap((element) => {
    const key = keyText(element.propertyName ?? element.name);
    if (key === undefined) return [];
    const path = [...above, key];
    if (key !== 'shape') return element.initializer ? [] : openingsOf(element.name, path);
    if (ts.isIdentifier(element.name)) return [{ path, element }];
    const rest = restOf(element.name);
    return rest ? [{ path, element, rest }] : [];
  });
}

/** The name that takes what the other elements of a destructuring leave. */
export function restOf(name: ts.BindingName): ts.Identifier | undefined {
  if (!ts.isObjectBindingPattern(name)) return undefined;
  const last = name.elements.at(-1);
  return last?.dotDotDotToken && ts.isIdentifier(last.name) ? last.name : undefined;
}

/** A parameter, and the punctuation before it. */
export interface Slot {
  readonly parameter: ts.ParameterDeclaration;
  readonly before: readonly [start: number, end: number];
}

/** A list of parameters, taken apart by its punctuation. */
export interface Slots {
  readonly list: readonly Slot[];
  /** What follows the last parameter, with a comma that may end the list. */
  readonly after: readonly [start: number, end: number];
}

/**
 * The parameters of a function that can be written as `...{ 0: first, 1: second }`, which leaves room to look at an
 * argument before it is destructured. Only punctuation changes for it, so that each parameter can stand alone, too.
 *
 * @returns undefined for a setter, a signature without a body, and where a parameter is a rest, a property of its class,
 *   or `this`
 */
export function slotsOf(signature: ts.SignatureDeclaration): Slots | undefined {
  const { parameters } = signature;
  const last = parameters.at(-1);
  // What has no body is a type, and not in the code.
  const isRun = 'body' in signature && signature.body !== undefined;
  if (!last || !isRun || ts.isSetAccessorDeclaration(signature)) return undefined;
  const isPlain = ({ dotDotDotToken, modifiers, name }: ts.ParameterDeclaration): boolean =>
    !dotDotDotToken && !modifiers?.length && !(ts.isIdentifier(name) && name.text === 'this');
  const close = signature.getChildren().find(({ kind, pos }) => {
    return kind === ts.SyntaxKind.CloseParenToken && pos >= parameters.end;
  });
  if (!close || !parameters.every(isPlain)) return undefined;
  return {
    list: parameters.map((parameter) => ({ parameter, before: [parameter.pos - 1, parameter.pos] })),
    after: [last.end, close.end],
  };
}
