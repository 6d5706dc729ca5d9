import { builtinModules } from 'node:module';

/** A module as the sandbox runs it, and what it imports. */
export interface ModuleCode {
  readonly code: string;
  readonly specifiers: readonly string[];
}

/** What answers something else at another time or on another machine. */
const VARYING =
  /\b(?:Date|Math\s*\.\s*random|performance|crypto|Intl|process|require|__dirname|__filename)\b|\$\$(?:import|meta)\b/;
/** Modules of Node's whose functions answer by their arguments alone. */
const PURE = new Set([
  'path',
  'url',
  'util',
  'assert',
  'events',
  'buffer',
  'querystring',
  'string_decoder',
  'punycode',
]);
const IMPORT = /^\$m\.(?:import|reexport|star|bare)\((\d+)(?:,(.*))?\);$/gm;

/**
 * Whether what a module's code evaluates to depends on nothing but its text and its imports. Errs on the side of no:
 * it reads files, the clock or the environment wherever their names stand in what is evaluated.
 */
export function isSteady({ code, specifiers }: ModuleCode): boolean {
  const varying: string[] = [];
  const rest = code.replace(IMPORT, (_line, index: string, names: string | undefined) => {
    if (isVarying(specifiers[Number(index)] ?? '')) varying.push(...localsOf(names));
    return '';
  });
  return !VARYING.test(rest) && !varying.some((name) => new RegExp(`(?<![\\w$])${escaped(name)}(?![\\w$])`).test(rest));
}

function isVarying(specifier: string): boolean {
  const name = specifier.replace(/^node:/, '').split('/')[0] ?? '';
  return (specifier.startsWith('node:') || builtinModules.includes(name)) && !PURE.has(name);
}

function localsOf(names: string | undefined): string[] {
  return names === undefined ? [] : (JSON.parse(names) as [string, string][]).map(([local]) => local);
}

function escaped(name: string): string {
  return name.replaceAll('$', '\\$');
}
