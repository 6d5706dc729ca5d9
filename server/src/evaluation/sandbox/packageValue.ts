type Namespace = Record<string, unknown>;

/**
 * What `require` answers for a package that was imported: the exports object of a CommonJS one, the namespace of an
 * ECMAScript module.
 */
export function packageValue(namespace: Namespace): unknown {
  // Node 23 and newer say it; before, a CommonJS module's names are all members of its default export.
  if ('module.exports' in namespace) return namespace['module.exports'];
  const { default: whole } = namespace;
  if ((typeof whole !== 'object' && typeof whole !== 'function') || whole === null) return namespace;
  const isCommonJs = Object.keys(namespace).every(
    (name) => name === 'default' || namespace[name] === memberOf(whole, name),
  );
  return isCommonJs ? whole : namespace;
}

/**
 * What an import of a name answers; `*` is the namespace, `*cjs` what `import x = require()` answers.
 *
 * @throws SyntaxError when there is no such export
 */
export function packageMember(namespace: Namespace, specifier: string, name: string): unknown {
  if (name === '*') return namespace;
  if (name === '*cjs') return packageValue(namespace);
  if (name in namespace) return namespace[name];
  // CommonJS packages: named exports that Node did not detect are members of the default export.
  const { default: whole } = namespace;
  const isHolder = (typeof whole === 'object' && whole !== null) || typeof whole === 'function';
  if (isHolder && name in whole) return memberOf(whole, name);
  throw new SyntaxError(`"${specifier}" does not export "${name}"`);
}

function memberOf(value: object, name: string): unknown {
  return (value as Namespace)[name];
}
