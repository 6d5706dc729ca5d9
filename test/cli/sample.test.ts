import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { build } from 'esbuild';
import { globSync } from 'tinyglobby';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonReport } from '../../server/src/reporters/json.ts';
import { project, sample, toolContracts } from './cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'harbour-'));
const client = new Client({ name: 'test', version: '1.0.0' });

beforeAll(async () => {
  cpSync(sample, folder, { recursive: true });
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'), 'dir');
  await build({
    entryPoints: globSync('src/**/*.ts', { cwd: folder, absolute: true }),
    outdir: join(folder, 'dist'),
    format: 'esm',
    platform: 'node',
    target: 'node20',
  });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [join(folder, 'dist/server.js')] }));
});

afterAll(async () => {
  await client.close();
  rmSync(folder, { recursive: true, force: true });
});

async function call(name: string, args: Record<string, unknown>): Promise<string> {
  const result = await client.callTool({ name, arguments: args });
  return (result.content as { text: string }[]).map((part) => part.text).join('\n');
}

test('the sample type-checks', () => {
  const tsc = join(project, 'node_modules/typescript/bin/tsc');
  expect(execFileSync(process.execPath, [tsc, '--noEmit', '-p', sample], { encoding: 'utf8' })).toBe('');
});

test('the sample runs and lists its twelve tools', async () => {
  const { tools } = await client.listTools();
  expect(tools.map((tool) => tool.name).sort()).toEqual([
    'get_boat',
    'list_boats',
    'next_high_water',
    'passage_window',
    'quote_stay',
    'register_boat',
    'release_berth',
    'report_position',
    'reserve_berth',
    'search_berths',
    'tide_table',
    'update_boat',
  ]);
});

test('what its README says of the faults is what a client meets', async () => {
  expect(JSON.parse(await call('list_boats', { typ: 'ferry' }))).toHaveLength(3);
  expect(JSON.parse(await call('search_berths', { electricity: true }))).toHaveLength(2);
  const booking = { berth: 'F2', arrival: '2026-07-01', nights: 2, boat: 'NL-0107', skipper: 'Anna' };
  expect(JSON.parse(await call('reserve_berth', { booking: { ...booking, children: 2 } }))).toEqual(booking);
  expect(await call('next_high_water', { place: { latitude: 53.3, longitude: 5.09 } })).toContain('Harlingen');
});

test('and its clean tools do as their schemas say', async () => {
  const boat = { id: 'NL-0500', name: 'Meeuw', type: 'sail', length: 8, draught: 1.2 };
  expect(await call('register_boat', { ...boat, colour: 'red' })).toContain('colour');
  expect(JSON.parse(await call('register_boat', boat))).toEqual(boat);
  expect(await call('update_boat', { id: 'NL-0500', colour: 'red' })).toContain('colour');
  expect(JSON.parse(await call('report_position', { id: 'NL-0500', latitude: 53, longitude: 5, mmsi: 1 }))).toEqual({
    logged: { id: 'NL-0500', latitude: 53, longitude: 5, mmsi: 1 },
  });
});

test('what the command line says is advertised is what the running server lists', async () => {
  const { tools } = await client.listTools();
  const { out } = await toolContracts(sample, 'list', '--format', 'json');
  const said = (JSON.parse(out) as JsonReport).tools.filter((tool) => tool.evaluated);
  expect(said).toHaveLength(11);
  for (const { name, advertised } of said) {
    expect(advertised, `${name}`).toEqual(tools.find((tool) => tool.name === name)?.inputSchema);
  }
  const one = await toolContracts(sample, 'advertise', 'src/tools/berths.ts#reserve_berth');
  expect(JSON.parse(one.out)).toEqual(tools.find((tool) => tool.name === 'reserve_berth')?.inputSchema);
});

test('a tool that could not be evaluated has nothing to advertise', async () => {
  expect(await toolContracts(sample, 'advertise', 'tide_table')).toMatchObject({
    status: 2,
    out: '',
    err: expect.stringContaining('tide_table could not be evaluated'),
  });
});
