import Mocha from 'mocha';
import { say, screenshot } from './host.ts';

/** The longest that a test may wait; what it waits for comes far earlier. */
const TEST_MS = 60_000;

/**
 * Runs a suite in the extension host.
 *
 * @param suite name, for screenshots
 * @param define defines the tests with mocha's `describe` and `it`
 * @throws when a test failed, which is how an extension host is told
 */
export async function runMocha(suite: string, define: () => Promise<unknown>): Promise<void> {
  const mocha = new Mocha({ ui: 'bdd', timeout: TEST_MS, reporter: Lines });
  mocha.suite.emit('pre-require', globalThis, suite, mocha);
  await define();
  mocha.suite.afterEach(async function () {
    const { currentTest: test } = this;
    if (test?.state === 'failed') await screenshot(`${suite}-${test.title}`);
  });
  const failures = await new Promise<number>((done) => mocha.run(done));
  await said;
  if (failures > 0) throw new Error(`${failures} of the tests failed.`);
}

let said: Promise<unknown> = Promise.resolve();

/** One line a test, in order, at the terminal that runs the suite. */
class Lines extends Mocha.reporters.Base {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    const line = (text: string) => {
      said = said.then(() => say(text));
    };
    runner.on('pass', (test) => line(`  ✓ ${test.title} (${test.duration} ms)`));
    runner.on('pending', (test) => line(`  - ${test.title} (not on this host)`));
    runner.on('fail', (test, error) => line(`  ✗ ${test.title}\n${indent(error.stack ?? error.message)}`));
  }
}

function indent(text: string): string {
  return text.replace(/^/gm, '      ');
}
