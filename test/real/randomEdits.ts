import type { Random } from '../bench/workspace/random.ts';
import type { Changes } from '../helpers/evaluate.ts';
import { manifest } from '../helpers/evaluate.ts';

/** A workspace that is edited at random: what each of its files says now is made anew from a few choices. */
export class RandomWorkspace {
  private readonly choices = new Map<string, Choices>();
  /** Files that are half-typed now. */
  private readonly broken = new Set<string>();

  constructor(private readonly random: Random) {
    for (const name of [...SCHEMAS, ...TOOLS]) this.choices.set(name, this.choose());
  }

  /** Every file, for a fresh start. */
  files(): Changes {
    const texts: Record<string, string | undefined> = { ...FIXED };
    for (const name of this.choices.keys()) texts[name] = this.text(name);
    return texts;
  }

  /** One edit: another text, a half-typed one, a file that goes or comes back. */
  edit(): Changes {
    const name = this.random.pick([...SCHEMAS, ...TOOLS] as [string, ...string[]]);
    const kind = this.random.below(10);
    if (this.broken.delete(name)) return { [name]: this.text(name) };
    if (kind === 0) {
      this.broken.add(name);
      return { [name]: `${this.text(name)}\nexport const half = z.object({ a: ` };
    }
    if (kind === 1 && this.choices.delete(name)) return { [name]: undefined };
    this.choices.set(name, this.choose());
    return { [name]: this.text(name) };
  }

  /** What makes every file whole again. */
  mend(): Changes {
    const changes: Record<string, string> = {};
    for (const name of this.broken) if (this.choices.has(name)) changes[name] = this.text(name);
    this.broken.clear();
    return changes;
  }

  private choose(): Choices {
    const { random } = this;
    return {
      field: random.pick(['harbour', 'berth', 'tide', 'depth']),
      policy: random.pick(['', '.strict()', '.loose()', '.catchall(z.number())']),
      part: random.pick(SCHEMAS),
      way: random.below(6),
      count: 1 + random.below(3),
    };
  }

  private text(name: string): string {
    const choice = this.choices.get(name);
    if (!choice) return '';
    return name.startsWith('schemas/') ? schemaText(name, choice) : toolText(name, choice);
  }
}

interface Choices {
  readonly field: string;
  readonly policy: string;
  readonly part: string;
  readonly way: number;
  readonly count: number;
}

const SCHEMAS: [string, ...string[]] = ['schemas/a.ts', 'schemas/b.ts', 'schemas/c.ts', 'schemas/d.ts', 'schemas/e.ts'];
const TOOLS: [string, ...string[]] = [
  'tools/k.ts',
  'tools/l.ts',
  'tools/m.ts',
  'tools/n.ts',
  'tools/o.ts',
  'tools/p.ts',
];
const FIXED: Changes = {
  'package.json': manifest(),
  'registry.ts': 'export const registry: { label: string; accepts: any }[] = [];',
  'schemas/index.ts': SCHEMAS.map((name) => `export * from './${name.slice(8, -3)}.js';`).join('\n'),
  'main.ts': `import { registry } from './registry.js';\n${TOOLS.map((name) => `import './${name.slice(0, -3)}.js';`).join('\n')}
for (const { label, accepts } of registry) server.registerTool(label, { description: 'd', inputSchema: accepts }, run);`,
};

function letter(name: string): string {
  return name.slice(-4, -3);
}

function schemaText(name: string, { field, policy, part, way }: Choices): string {
  const own = letter(name).toUpperCase();
  const other = letter(part).toUpperCase();
  const head = "import { z } from 'zod';\n";
  if (way === 0) return `${head}export const ${own} = z.object({ ${field}: missing.there })${policy};\n`;
  // Schemas import only later letters, and some by the barrel, so that no two need each other.
  if (way < 4 && other > own) {
    const from = way === 1 ? './index.js' : `./${other.toLowerCase()}.js`;
    const value =
      way === 2 ? `z.object({ ...${other}.shape, ${field}: z.string() })` : `z.object({ ${field}: ${other} })`;
    return `${head}import { ${other} } from '${from}';\nexport const ${own} = ${value}${policy};\n`;
  }
  return `${head}// ${'-'.repeat(way * 7)}\nexport const ${own} = z.object({ ${field}: z.string().min(${way}) })${policy};\n`;
}

function toolText(name: string, { field, policy, part, way, count }: Choices): string {
  const schema = letter(part).toUpperCase();
  const from = way === 1 ? '../schemas/index.js' : `../${part.slice(0, -3)}.js`;
  const lines = [
    "import { z } from 'zod';",
    `import { ${schema} } from '${from}';`,
    "import { registry } from '../registry.js';",
  ];
  for (let index = 0; index < count; index++) {
    const tool = `${letter(name)}_${index}`;
    const value = index === 0 ? schema : `z.object({ ${field}: ${schema} })${policy}`;
    if (way === 5) lines.push(`registry.push({ label: '${tool}', accepts: ${value} });`);
    else lines.push(`server.registerTool('${tool}', { description: 'd', inputSchema: ${value} }, run);`);
  }
  return lines.join('\n');
}
