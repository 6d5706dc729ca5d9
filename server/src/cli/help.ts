import { SURFACE_IDS, severitySetting } from '../../../shared/src/config.ts';
import { RULES } from '../../../shared/src/rules.ts';
import type { CommandName } from './arguments.ts';

const CHECKING = `  --include GLOB           look for tools only in these files; may be given again
  --exclude GLOB           leave these files out too; may be given again
  --verbose                say on stderr what is being done, and what evaluated code prints`;

const PAGES: Record<CommandName, string> = {
  check: `tool-contracts check [path]

Evaluates the tools of a workspace (its code runs: checking it is trusting it) and prints what is wrong with their contracts.

  --format pretty|json     for people (the default), or JSON version 1
  --rule CODE=SEVERITY     ${severitySetting.options.join(', ')}; may be given again
  --baseline TAG|FILE      compare with this git tag or recorded file, not with the last release
  --no-cache               evaluate the last release anew, instead of taking what an earlier run found in it
  --max-warnings N         more warnings than this are a failure too
${CHECKING}

Rules
${RULES.map((row) => `  ${row.code.padEnd(25)}${row.title} (${row.severity})`).join('\n')}

Exit status: 0 clean, 1 findings of severity error or too many warnings, 2 could not run.`,

  list: `tool-contracts list [path]

Prints the tools of a workspace: where each is, what it does with undeclared keys, on which surface, or why it could not be
evaluated.

  --format pretty|json     for people (the default), or JSON version 1
${CHECKING}`,

  advertise: `tool-contracts advertise TOOL

Prints the JSON Schema that a client gets for the input of a tool, verbatim. TOOL is a name, or FILE#NAME where several
tools have the name.

  --surface ID             as this SDK advertises it: ${SURFACE_IDS.join(', ')}
  --root PATH              the workspace, instead of the current folder
${CHECKING}`,

  diff: `tool-contracts diff [path]

Prints what changed in the tools of a workspace since their last release, and whether contract changes tell the callers.
Where the newest tag is what is here, it is compared with the one before.

  --baseline TAG|FILE      compare with this git tag or recorded file, not with the last release
  --no-cache               evaluate the last release anew, instead of taking what an earlier run found in it
  --format markdown|json   a section for a changelog (the default), or JSON version 1
${CHECKING}

Exit status: 0, or 2 when there is nothing to compare with.`,

  record: `tool-contracts record [path]

Writes tool-contracts.lock.json beside the package.json of each package with tools: what clients get of each tool, as the
baseline that later versions are compared with. Record with each release, and commit the file.

  --check                  write nothing; fail when a file is out of date
  --release VERSION        the release that is recorded, instead of the version in package.json
${CHECKING}

Exit status: 0, 1 when --check finds a file out of date, 2 could not run.`,
};

/**
 * The help page of a command, or of the whole program.
 *
 * @param topic undefined for the program itself
 */
export function help(topic: CommandName | undefined): string {
  if (topic) return `${PAGES[topic]}\n`;
  return `tool-contracts: where the tools that a model sees differ from what you wrote

  tool-contracts check [path]      what is wrong with the tool contracts of a workspace
  tool-contracts list [path]       its tools
  tool-contracts advertise TOOL    the JSON Schema that a client gets for a tool
  tool-contracts diff [path]       what changed since the last release
  tool-contracts record [path]     write down what is offered, to compare later versions with

  --help, -h                       this page, or that of a command
  --version, -v                    the version

Settings are read from tool-contracts.json in the workspace; options override them.
`;
}
