import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isBelow } from './manifest.ts';
import { PROJECT } from './project.ts';
import { NEWEST, ZODS, type Zod } from './workspace.ts';

const VARIANTS = join(PROJECT, 'test/fixtures/variants');

/** A call of a tool and what the SDK makes of it, as a variant's header says. */
export interface Claim {
  readonly tool: string;
  readonly arguments: Record<string, unknown>;
  /** `rejected`, or what the handler receives; `allowed` or `forbidden` is about the listed schema instead. */
  readonly outcome: 'rejected' | 'allowed' | 'forbidden' | { readonly received: unknown };
  /** Whether it holds with a version of zod. */
  holdsWith(zod: string): boolean;
}

/** An input in the manner of the cases, with the place of each finding marked. */
export interface Variant {
  readonly name: string;
  readonly text: string;
  readonly zods: readonly Zod[];
  readonly claims: readonly Claim[];
}

/**
 * Reads the variants. A header's `Zod` line names the releases it holds with (the newest when there is none), each
 * `Call` line a call: `Call   TOOL ARGUMENTS -> VALUE | rejected | allowed | forbidden`, with `[zod<4.5]` or `[zod>=4.5]`
 * in front of the tool when it depends.
 *
 * @throws when a line makes no sense
 */
export function readVariants(): Variant[] {
  return readdirSync(VARIANTS)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => {
      const text = readFileSync(join(VARIANTS, file), 'utf8');
      const header = text.slice(0, text.indexOf('*/'));
      const versions = /^ \* Zod +(.*)$/m.exec(header)?.[1]?.split(/[ ,]+/) ?? [NEWEST];
      const unknown = versions.find((version) => !(version in ZODS));
      if (unknown !== undefined) throw new Error(`${file}: the project has no zod ${unknown}.`);
      const claims = [...header.matchAll(/^ \* Call +(.*)$/gm)].map(([, line = '']) => claimOf(file, line));
      return { name: file.replace(/\.ts$/, ''), text, zods: versions as Zod[], claims };
    });
}

function claimOf(file: string, line: string): Claim {
  const [, sign, version = '', tool = '', args = '', outcome = ''] =
    /^(?:\[zod(<|>=)([\d.]+)\] )?(\w+) (.*) -> (.*)$/.exec(line) ?? [];
  if (tool === '') throw new Error(`${file}: cannot read the call ${line}`);
  return {
    tool,
    arguments: JSON.parse(args) as Record<string, unknown>,
    outcome:
      outcome === 'rejected' || outcome === 'allowed' || outcome === 'forbidden'
        ? outcome
        : { received: JSON.parse(outcome) },
    holdsWith: (zod) => sign === undefined || isBelow(zod, version) === (sign === '<'),
  };
}
