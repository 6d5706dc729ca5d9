import { runMocha } from './mocha.ts';

/** The sample workspace in Restricted Mode. */
export function run(): Promise<void> {
  return runMocha('untrusted', () => import('./untrusted.test.ts'));
}
