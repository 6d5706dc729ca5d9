import { runMocha } from './mocha.ts';

/** Previews, CodeLenses and hovers on the sample workspace, trusted. */
export function run(): Promise<void> {
  return runMocha('preview', () => import('./preview.test.ts'));
}
