import { type InputChange, pathText } from '../../baseline/inputChange.ts';
import type { Previous } from '../../baseline/previous.ts';

/** A change that breaks calls and is no removal. */
export type Breaking = Extract<InputChange, { kind: 'added' | 'required' | 'type' | 'policy' }>;

/**
 * What happens to a caller of the last release, and why.
 *
 * @param changes those at one place
 * @param isShown whether a call was found that shows it
 */
export function messageOf(changes: readonly Breaking[], { release }: Previous, isShown: boolean): string {
  return [
    ...changes.map((change) => sentence(change, release.release)),
    ...(isShown ? [] : ['No call of then could be built to show it.']),
  ].join(' ');
}

function sentence(change: Breaking, release: string): string {
  const name = pathText(change.path);
  switch (change.kind) {
    case 'added': {
      const renamed = change.renamedFrom === undefined ? '' : `, which was probably "${change.renamedFrom}",`;
      return `"${name}"${renamed} is required: a call as ${release} took it does not have it and is rejected.`;
    }
    case 'required':
      return `"${name}" is required now: a call that leaves it out, as ${release} allowed, is rejected.`;
    case 'type':
      return `"${name}" takes ${article(change.takes)}, and no longer ${article(change.lost)}: a call as ${release} took it is rejected.`;
    case 'policy': {
      const where = name === '' ? '' : ` of "${name}"`;
      return change.is === 'strict'
        ? `Undeclared keys${where} are rejected now: a call that ${release} accepted with one fails.`
        : `Undeclared keys${where} are deleted now: ${release} handed them to the handler.`;
    }
  }
}

/** `a string or null`, `nothing`. */
function article(types: string): string {
  if (types === '') return 'nothing';
  return types
    .split(' or ')
    .map((type) => (type === 'null' ? type : /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`))
    .join(' or ');
}
