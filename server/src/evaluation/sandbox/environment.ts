import { fixSilently } from './refuse.ts';

/** Variables that Node itself reads, such as for the colours of `console`. */
const NODES_OWN = /^(NODE_(?!ENV$).*|FORCE_COLOR|NO_COLOR|COLORTERM|TERM|TMUX|UV_.*|TZ|WATCH_REPORT_DEPENDENCIES)$/;

/**
 * Records which environment variables are read from now on.
 *
 * @returns asks for the names since the last question, sorted
 */
export function recordEnvironment(): () => string[] {
  const reads = new Set<string>();
  const record = (name: string | symbol): void => {
    if (typeof name === 'string' && !NODES_OWN.test(name)) reads.add(name);
  };
  const env = new Proxy(process.env, {
    get: (target, name) => {
      record(name);
      return Reflect.get(target, name) as unknown;
    },
    has: (target, name) => {
      record(name);
      return Reflect.has(target, name);
    },
  });
  fixSilently(process, 'env', env);
  return () => {
    const names = [...reads].sort();
    reads.clear();
    return names;
  };
}
