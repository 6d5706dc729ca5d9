import { shown } from '../values.ts';
import type { Evidence, Trouble } from './proof.ts';
import type { Site } from './sites.ts';

/** The caller's fate first, then why. */
export function messageOf(site: Site, { mended, unmended, filled }: Evidence): string {
  const what = `the \`.${site.defaulted.kind}()\` of "${site.field}"`;
  if (mended)
    return `${fate(mended)}: ${cause(site, mended, what)}. With \`.optional()\` in its place the call passes.`;
  if (site.tag)
    return [...tagSentences(site, filled), ...(filled ? [] : ['No call could be built that shows it.'])].join(' ');
  const sentences = [fillsIn(site)];
  if (unmended) sentences.push(`${fate(unmended)}; \`.optional()\` would not change that.`);
  return sentences.join(' ');
}

function fate({ kind, value, forOwnVariant, lost }: Trouble): string {
  const call = `A call made for ${forOwnVariant ? 'this variant' : 'another variant'} of the union, such as ${shown(value)},`;
  return kind === 'rejected' ? `${call} is rejected` : `${call} loses ${lost.map((path) => `"${path}"`).join(', ')}`;
}

function cause({ tag, field }: Site, { kind, forOwnVariant }: Trouble, what: string): string {
  if (kind === 'lost') return `${what} lets this variant take it`;
  if (tag) return `${what} makes a call without the tag legal for the variant, but the union does not take it`;
  return forOwnVariant
    ? `the variant alone takes it, and ${what} stands in the way`
    : `"${field}" is filled in by ${what}`;
}

function tagSentences({ field, defaulted }: Site, filled: Evidence['filled']): string[] {
  if (filled && !filled.witness.actual.accepts) {
    return [
      `A call without "${field}" is rejected, although its tag has a \`.${defaulted.kind}()\` and the variant alone takes it.`,
      'A caller who relies on the default fails.',
    ];
  }
  if (defaulted.kind === 'catch') {
    return [`A call with a wrong "${field}" is taken for this variant of the union: its tag has a \`.catch()\`.`];
  }
  return [
    `A call without "${field}" is taken for this variant of the union: its tag has a \`.${defaulted.kind}()\`.`,
    'A caller who forgets the tag gets a variant it never named.',
  ];
}

function fillsIn({ field, defaulted, name, union }: Site): string {
  const path = name === field ? '' : ` (\`${name}\`)`;
  const tag = union.node.discriminator;
  // Run with zod 3.25, 4.4 and 4.6: only the tag chooses, and what is filled in has no part in it.
  if (tag !== undefined) {
    const how = defaulted.kind === 'catch' ? 'is wrong or left out' : 'is left out';
    return `When "${field}"${path} ${how}, ${filledIn(defaulted)} is filled in only if this variant of the union is the one that "${tag}" names; a call for another variant never gets it.`;
  }
  if (defaulted.kind === 'catch') {
    return `A wrong or missing "${field}"${path} is replaced instead of rejected, so this variant of the union also takes calls that were meant for another.`;
  }
  return `When "${field}"${path} is left out, ${filledIn(defaulted)} is filled in only if this variant of the union is the one that matches, and the default lets the variant match calls without it.`;
}

function filledIn({ defaultValue }: Site['defaulted']): string {
  return defaultValue === undefined ? 'a value' : shown(defaultValue, 40);
}
