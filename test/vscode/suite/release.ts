import { runMocha } from './mocha.ts';

/** The sample workspace as a repository with the tag of its last release. */
export function run(): Promise<void> {
  return runMocha('release', () => import('./release.test.ts'));
}
