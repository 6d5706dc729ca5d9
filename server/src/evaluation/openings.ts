import { keyText, start } from '../discovery/syntax.ts';
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

/** Where text goes for the parameters of a function to be written as one destructuring of its arguments. */
export interface Parameters {
  readonly start: number;
  readonly end: number;
  /** Where a comma that ends the list stands, which may not follow a rest. */
  readonly comma: readonly [start: number, end: number] | undefined;
}

/**
 * Whether the parameters of a function can be written as `...{ 0: first, 1: second }`, which leaves room to look at an
 * argument before it is destructured.
 *
 * @returns undefined for a setter, a signature without a body, and where a parameter is a rest, a property of its class, or `this`
 */
export function parametersOf(signature: ts.SignatureDeclaration): Parameters | undefined {
  const { parameters } = signature;
  const [first, last] = [parameters[0], parameters.at(-1)];
  // What has no body is a type, and not in the code.
  const isRun = 'body' in signature && signature.body !== undefined;
  if (!first || !last || !isRun || ts.isSetAccessorDeclaration(signature)) return undefined;
  const isPlain = ({ dotDotDotToken, modifiers, name }: ts.ParameterDeclaration): boolean =>
    !dotDotDotToken && !modifiers?.length && !(ts.isIdentifier(name) && name.text === 'this');
  if (!parameters.every(isPlain)) return undefined;
  const comma = parameters.hasTrailingComma ? ([last.end, parameters.end] as const) : undefined;
  return { start: start(first), end: last.end, comma };
}
