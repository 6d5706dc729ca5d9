import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Contract, SchemaGraph, Unevaluated } from '../../../shared/src/model.ts';
import { writeCached } from '../files/cache.ts';

/** What evaluating files of a commit gave. */
export interface KeptRelease {
  /** The files that were searched for tools. */
  readonly files: readonly string[];
  readonly contracts: readonly Contract[];
  readonly unevaluated: readonly Unevaluated[];
}

/** Only what we wrote ourselves is read, and a checksum says that it is whole: its inside is not looked at. */
const KEPT = z.object({
  files: z.array(z.string()),
  contracts: z.array(z.custom<Contract>((value) => typeof value === 'object' && value !== null)),
  unevaluated: z.array(z.custom<Unevaluated>((value) => typeof value === 'object' && value !== null)),
});
const PREFIX = 'release-';
/** As many releases as people work on in turn; one of 1,000 tools has 9 MB. */
const KEPT_RELEASES = 8;

/**
 * Evaluated releases in a folder. One that is missing, broken or not writable makes it slower and changes nothing else.
 * What is in there is data and never run.
 */
export class ReleaseCache {
  constructor(private readonly folder: string) {}

  /** @param key everything that the answer depends on */
  read(key: string): KeptRelease | undefined {
    try {
      const text = readFileSync(this.path(key), 'utf8');
      const end = text.indexOf('\n');
      const body = text.slice(end + 1);
      if (text.slice(0, end) !== digest(body)) return undefined;
      const kept = KEPT.parse(JSON.parse(body));
      for (const { graph, output } of kept.contracts) for (const each of [graph, output]) if (each) revive(each);
      return kept;
    } catch {
      return undefined;
    }
  }

  write(key: string, release: KeptRelease): void {
    const content = () => {
      const body = JSON.stringify(release);
      return `${digest(body)}\n${body}`;
    };
    writeCached(this.path(key), content, {
      isOne: (name) => name.startsWith(PREFIX) && name.endsWith('.json'),
      most: KEPT_RELEASES,
    });
  }

  private path(key: string): string {
    return join(this.folder, `${PREFIX}${digest(key).slice(0, 32)}.json`);
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Fields lose on the way that they have no prototype: one may be called `constructor`. */
function revive(graph: SchemaGraph): void {
  for (const node of graph.nodes) {
    if (node.fields) Object.assign(node, { fields: Object.assign(Object.create(null), node.fields) });
  }
}
