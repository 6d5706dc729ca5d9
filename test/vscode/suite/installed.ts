import { runMocha } from './mocha.ts';

/** The sample workspace with the extension as it is installed from its package. */
export function run(): Promise<void> {
  return runMocha('installed', () => import('./installed.test.ts'));
}
