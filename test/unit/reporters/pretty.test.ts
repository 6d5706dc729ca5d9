import { createColors } from 'picocolors';
import { expect, test } from 'vitest';
import { list } from '../../../server/src/reporters/list.ts';
import { pretty } from '../../../server/src/reporters/pretty.ts';
import { columns } from '../../../server/src/reporters/text.ts';
import { dropped, found, notEvaluated, swallowed, tideTable, tool } from './found.ts';
import { look, report } from './look.ts';

test('the findings as a person reads them', () => {
  expect(pretty(report(), look())).toMatchInlineSnapshot(`
    "
      harbour-mcp · MCP SDK 1.32.2 · zod 4.6.7 · 4 tools

      src/schemas/tides.ts
        3:41  info     default-in-union-variant  next_high_water, a, b and 2 more
              A call for another variant can be taken by this one.
              Its harbour fills itself in.
              call  { "place": { "latitude": 0, "longitude": 0 } }
                      NearPosition     gives { "place": { "latitude": 0, "longitude": 0 } }
                      next_high_water  runs with { "place": { "harbour": "harlingen" } } (deleted:
                                       place.latitude, place.longitude; added: place.harbour)

      src/tools/boats.ts
        2:16  warning  dropped-catchall          list_boats
              An undeclared argument such as "harbour" would be deleted: the tool is registered with
              ListBoats.shape and loses its .strict().
              A call that ListBoats rejects succeeds without it.
              call  { "type": "sail", "harbour": "x" }
                      ListBoats   rejects: Unrecognized key: "harbour"
                      list_boats  runs with { "type": "sail" } (deleted: harbour)
              see   src/schemas/boats.ts:3:26  ListBoats is strict here
              fix   Register ListBoats itself
              or    Put .strict() back

      src/tools/tides.ts
        1:18  info     not-evaluated             tide_table
              tide_table could not be evaluated.
              The value is awaited while the module loads, so it is known only when the program runs.

      3 problems (1 warning, 2 infos) in 4 tools, 1 not evaluated · 0.8 s

    "
  `);
});

test('the tools as a person reads them', () => {
  expect(list(report(), look())).toMatchInlineSnapshot(`
    "
      harbour-mcp · MCP SDK 1.32.2 · zod 4.6.7 · 4 tools

      src/tools/boats.ts
        1:21  list_boats       strips  2 inputs  MCP SDK 1.32.2
        4:21  get_boat         strict  1 input   MCP SDK 1.32.2
        5:25  report_position  loose   0 inputs  MCP SDK 1.32.2

      src/tools/tides.ts
        3:29  tide_table       not evaluated: The value is awaited while the module loads, so it is
                               known only when the program runs.

      4 tools, 1 not evaluated

    "
  `);
});

test.each([60, 80, 110])('no line is wider than a terminal of %d columns', (width) => {
  const text = pretty(report(), look({ width })) + list(report(), look({ width }));
  for (const line of text.split('\n')) expect(columns(line), line).toBeLessThanOrEqual(width);
});

test('nothing to report says so, with how many tools that means', () => {
  const tools = [tool('src/tools/boats.ts', 'get_boat', 'strict')];
  expect(pretty(report({ tools, findings: [] }), look())).toContain('\n  ✓ 1 tool, nothing to report · 0.8 s\n');
});

test('tools that were not evaluated are named even where the rule is off', () => {
  const text = pretty(report({ findings: [] }), look());
  expect(text).toContain('Not evaluated\n    tide_table  src/tools/tides.ts:1:18  The value is awaited');
  expect(text).toContain('✓ 4 tools, nothing to report, 1 not evaluated');
  expect(pretty(report(), look())).not.toContain('Not evaluated');
});

test('a registration that fails where a named tool does is not told twice', () => {
  const nameless = { unevaluated: { ...tideTable, name: null }, offers: [] };
  const text = pretty(report({ tools: [...found().tools, nameless] }), look());
  expect(text).not.toContain('Not evaluated');
  expect(text).not.toContain('without a name');
});

test('no tools says what was looked for', () => {
  const empty = report({ tools: [], findings: [] });
  expect(pretty(empty, look())).toContain('No tools found. Looked in src.');
  expect(list(empty, look())).toContain('No tools found. Looked in src.');
});

test('colours and links are only where the terminal has them, and change no word', () => {
  const colored = pretty(report(), look({ colors: createColors(true), uri: (file) => `file:///root/${file}` }));
  expect(colored).toContain('\u001b]8;;file:///root/src/tools/boats.ts#L2,16\u001b\\');
  expect(colored).toContain(createColors(true).yellow('warning'));
  const bare = pretty(report(), look());
  expect(bare).not.toContain('\u001b');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is taken out
  expect(colored.replace(/\u001b\]8;;.*?\u001b\\/g, '').replace(/\u001b\[\d+m/g, '')).toBe(bare);
});

test('paths are written as they can be clicked from where the command was run', () => {
  const text = pretty(report(), look({ path: (file) => `apps/harbour/${file}` }));
  expect(text).toContain('\n  apps/harbour/src/tools/boats.ts\n');
  expect(text).toContain('see   apps/harbour/src/schemas/boats.ts:3:26');
});

test('every severity is counted, and the words agree with the numbers', () => {
  const of = (severity: 'error' | 'warning' | 'information' | 'hint') => ({ ...dropped, severity, message: severity });
  const summary = (findings: ReturnType<typeof of>[]) =>
    pretty(report({ findings }), look()).trimEnd().split('\n').at(-1);
  expect(summary([of('error'), of('error'), of('hint')])).toMatch(/^ {2}3 problems \(2 errors, 1 hint\) in 4 tools/);
  expect(summary([of('warning')])).toMatch(/^ {2}1 problem \(1 warning\) in 4 tools/);
  expect(summary([of('information'), of('warning')])).toMatch(/\(1 warning, 1 info\)/);
});

test('many tools and packages do not fill the screen', () => {
  const tools = (names: string[]) => pretty(report({ findings: [{ ...dropped, tools: names }] }), look());
  expect(tools(['a', 'b', 'c', 'd'])).toContain('dropped-catchall  a, b, c, d\n');
  expect(tools(['a', 'b', 'c', 'd', 'e'])).toContain('dropped-catchall  a, b, c and 2 more\n');
  const one = report();
  const pkg = one.packages[0];
  if (!pkg) throw new Error('no package');
  const many = { ...one, packages: Array.from({ length: 10 }, (_, index) => ({ ...pkg, name: `p${index}` })) };
  expect(pretty(many, look())).toContain('  p7 · MCP SDK 1.32.2');
  expect(pretty(many, look())).toContain('\n  and 2 more packages\n');
});

test('text of user code cannot steer the terminal', () => {
  const evil = { ...dropped, message: 'a\u001b[2Jb\nc', tools: ['t\u0007'] };
  const text = pretty(report({ findings: [evil], notes: ['x\u001b[2Jy'] }), look());
  // biome-ignore lint/suspicious/noControlCharactersInRegex: only line breaks may be left
  expect(text.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f]/);
});

test('a tool that cannot be listed says what the SDK said', () => {
  const boats = tool('src/tools/boats.ts', 'get_boat', 'strict');
  const offers = boats.offers.map((offer) => ({ ...offer, advertised: null, listError: 'Date\nhas no form' }));
  expect(list(report({ tools: [{ ...boats, offers }] }), look())).toContain(
    'get_boat  cannot be listed: Date has no form',
  );
});

test('the fixture holds what the tests speak of', () => {
  expect(found().findings).toEqual(expect.arrayContaining([dropped, swallowed, notEvaluated]));
  expect(notEvaluated.at).toEqual(tideTable.at);
});
