import { describe, expect, test } from 'vitest';
import { parseCommandLine } from '../../../server/src/cli/arguments.ts';
import { help } from '../../../server/src/cli/help.ts';
import { RULES } from '../../../shared/src/rules.ts';

const parse = (line: string) => parseCommandLine(line.split(' ').filter(Boolean));

describe('what is understood', () => {
  test('check with everything', () => {
    expect(
      parse(
        'check apps/api --format json --rule dropped-catchall=error --rule=not-evaluated=off --include a/** --include b --exclude c --max-warnings 0 --no-cache --verbose',
      ),
    ).toEqual({
      command: 'check',
      path: 'apps/api',
      format: 'json',
      rules: { 'dropped-catchall': 'error', 'not-evaluated': 'off' },
      include: ['a/**', 'b'],
      exclude: ['c'],
      maxWarnings: 0,
      isUncached: true,
      verbose: true,
    });
  });

  test('check with nothing', () => {
    expect(parse('check')).toEqual({
      command: 'check',
      path: '.',
      format: 'pretty',
      rules: {},
      include: [],
      exclude: [],
      maxWarnings: Number.POSITIVE_INFINITY,
      isUncached: false,
      verbose: false,
    });
  });

  test('list and advertise', () => {
    expect(parse('list --format=json sub')).toMatchObject({ command: 'list', path: 'sub', format: 'json' });
    expect(parse('advertise src/a.ts#list_boats --surface mcp-v1 --root sub')).toMatchObject({
      command: 'advertise',
      tool: 'src/a.ts#list_boats',
      surface: 'mcp-v1',
      path: 'sub',
    });
  });

  test('a path that looks like an option, behind --', () => {
    expect(parse('check -- -odd')).toMatchObject({ command: 'check', path: '-odd' });
  });

  test('help and version', () => {
    for (const line of ['', 'help', '--help', '-h']) expect(parse(line)).toEqual({ command: 'help', topic: undefined });
    for (const line of ['check --help', 'help check', 'check -h']) {
      expect(parse(line)).toEqual({ command: 'help', topic: 'check' });
    }
    expect(parse('--version')).toEqual({ command: 'version' });
    expect(parse('-v')).toEqual({ command: 'version' });
  });
});

test.each([
  ['chekc', 'There is no command "chekc"; did you mean "check"?'],
  ['serve', 'There is no command "serve"; there are check, list, advertise, diff, record.'],
  ['check --formt json', 'There is no option --formt; did you mean --format?'],
  ['check --rules x=off', 'There is no option --rules; did you mean --rule?'],
  ['check --toString', 'There is no option --toString; see tool-contracts --help.'],
  ['check -x', 'There is no option -x; see tool-contracts --help.'],
  ['check --format', '--format needs a value.'],
  ['check --format --verbose', '--format needs a value.'],
  ['check --include=', '--include needs a value.'],
  ['check --verbose=yes', '--verbose takes no value.'],
  ['check --format xml', '--format takes pretty or json, not "xml".'],
  ['check --max-warnings many', '--max-warnings takes a whole number, not "many".'],
  ['check --max-warnings=-1', '--max-warnings takes a whole number, not "-1".'],
  [
    'check --rule droped-catchall=off',
    '--rule droped-catchall=off: there is no rule "droped-catchall", did you mean "dropped-catchall"?',
  ],
  [
    'check --rule dropped-catchall',
    '--rule dropped-catchall: write dropped-catchall=SEVERITY with one of default, error, warning, information, hint, off.',
  ],
  [
    'check --rule dropped-catchall=loud',
    '--rule dropped-catchall=loud: write dropped-catchall=SEVERITY with one of default, error, warning, information, hint, off.',
  ],
  ['check a b', 'check takes one path; "b" is one too many.'],
  ['list --max-warnings 1', '--max-warnings is an option of "check", not of "list".'],
  ['list --surface mcp-v1', '--surface is an option of "advertise", not of "list".'],
  ['advertise', 'advertise needs the name of a tool: tool-contracts advertise TOOL.'],
  ['advertise a b', 'advertise takes one tool; "b" is one too many.'],
  ['advertise a --surface mcp', '--surface takes one of mcp-v1, mcp-v2, ai-sdk, contract, not "mcp".'],
])('%s: one sentence that says what to do', (line, message) => {
  expect(() => parse(line)).toThrow(message);
});

test('help tells every rule with its severity, and every command', () => {
  for (const row of RULES) expect(help('check')).toContain(`${row.title} (${row.severity})`);
  for (const command of ['check', 'list', 'advertise'] as const) {
    expect(help(undefined)).toContain(`tool-contracts ${command}`);
    expect(help(command)).toContain(`tool-contracts ${command}`);
  }
  expect(
    help('check')
      .split('\n')
      .filter((line) => line.length > 130),
  ).toEqual([]);
});
