import { aboutClass } from './classes.ts';
import type { Named } from './found.ts';
import { DESCRIPTION_KEYS, HANDLER_KEYS } from './keys.ts';
import { isNameLike, NAME_KEYS, nameFrom, nameOf, nameOfFile, nameOfKey } from './names.ts';
import { saysTool } from './notTools.ts';
import { type Sdk, sdkOf, sdkOfHeritage } from './sdk.ts';
import type { Standing } from './standing.ts';
import {
  isFunctionLiteral,
  isText,
  isValueProperty,
  keyText,
  type Properties,
  propertyValue,
  unwrap,
} from './syntax.ts';
import { ts } from './typescript.ts';

/** What speaks for an object literal being a tool. */
export interface Evidence {
  /** From the object's own property, a call's text, or a key. */
  readonly name: Named | undefined;
  readonly described: boolean;
  readonly handled: boolean;
  /** The SDK whose function the object is handed to. */
  readonly sdk: Sdk | undefined;
  /** Some word around it says tool. */
  readonly toolish: boolean;
}

/** Gathers what an object's properties and its place say. */
export function evidenceOf(properties: Properties, standing: Standing): Evidence {
  let described = false;
  let handled = standing.decorated !== undefined && ts.isMethodDeclaration(standing.decorated);
  for (const [key, property] of properties) {
    described ||= DESCRIPTION_KEYS.has(key);
    handled ||= HANDLER_KEYS.has(key) && !isData(property);
  }
  for (const call of standing.calls) {
    handled ||= call.arguments?.some((argument) => isFunctionLiteral(unwrap(argument))) === true;
    described ||= (call.arguments?.filter(isText).length ?? 0) > 1;
  }
  const around = standing.owner && isWhole(standing) ? aboutClass(standing.owner) : undefined;
  return {
    name: ownName(properties, standing) ?? around?.name,
    described: described || around?.described === true,
    handled: handled || around?.handled === true,
    sdk: sdkOfStanding(standing),
    toolish: saysTool(standing),
  };
}

function isData(property: ts.ObjectLiteralElementLike): boolean {
  if (!ts.isPropertyAssignment(property)) return false;
  const value = unwrap(property.initializer);
  return isText(value) || ts.isObjectLiteralExpression(value) || ts.isArrayLiteralExpression(value);
}

function sdkOfStanding(standing: Standing): Sdk | undefined {
  for (const call of standing.calls) {
    const sdk =
      call.expression.kind === ts.SyntaxKind.SuperKeyword
        ? standing.owner && sdkOfHeritage(standing.owner)
        : sdkOf(call.expression);
    if (sdk) return sdk;
  }
  // `generateText({ tools: { weather: {…} } })`
  return standing.holder && standing.containers[0] === 'tools' ? sdkOf(standing.holder.expression) : undefined;
}

/** Fields of classes that hold a definition by its role, so that the class gives the name. */
const ROLE =
  /^(?:tool|definition|toolDefinition|def|spec|specification|config|configuration|options|metadata|meta|info|schema)$/;

function ownName(properties: Properties, standing: Standing): Named | undefined {
  for (const key of NAME_KEYS) {
    const property = properties.get(key);
    if (property && isValueProperty(property)) return nameOf(propertyValue(property), 'property');
  }
  for (const call of standing.calls) {
    const text = call.arguments?.find(isNameLike);
    if (text) return nameOf(text, 'argument');
  }
  if (standing.entry) return nameOf(standing.entry, 'key');
  if (!standing.key) return undefined;
  return standing.owner && isWhole(standing) ? undefined : nameOfKey(standing.key);
}

/** Whether an object in a class says what the class is, and not one of the things that it has. */
function isWhole(standing: Standing): boolean {
  return !standing.key || ROLE.test(keyText(standing.key) ?? '');
}

/** The weaker names: of the class or method around an object, of what it is assigned to, of the file. */
export function nameFor(standing: Standing, object: ts.Node): Named | undefined {
  const { variable, decorated, assigned } = standing;
  if (decorated && (ts.isMethodDeclaration(decorated) || ts.isClassLike(decorated))) {
    const text = keyText(decorated.name);
    if (decorated.name && text !== undefined) {
      return nameFrom(decorated.name, ts.isClassLike(decorated) ? 'class' : 'key', text);
    }
  }
  if (variable) return nameFrom(variable, 'variable', variable.text);
  if (standing.isDefaultExport) return nameOfFile(object.getSourceFile(), object);
  return assigned && nameFrom(assigned.name, 'variable', assigned.name.text);
}
