import { runMocha } from './mocha.ts';

/** The sample workspace, trusted. */
export function run(): Promise<void> {
  return runMocha('sample', () => import('./sample.test.ts'));
}
