import { evaluateFiles, type InProcess, outline } from '../../helpers/inProcess.ts';

/** A registration of a tool `t` with a schema. */
export function tool(schema: string, name = 't'): string {
  return `server.registerTool('${name}', { description: 'd', inputSchema: ${schema} }, async () => ({ content: [] }));\n`;
}

export const ZOD = "import { z } from 'zod';\n";

/** Evaluates a file of some code and a tool `t`, beside other files. */
export function evaluate(
  code: string,
  schema: string,
  files: Readonly<Record<string, string>> = {},
  file = 'tools.ts',
): Promise<InProcess> {
  const isCommonJs = /\brequire\(['"]zod['"]\)/.test(code);
  return evaluateFiles({ [file]: `${isCommonJs ? '' : ZOD}${code}\n${tool(schema)}`, ...files });
}

/** As `evaluate`, and says in a line what the schema is. */
export async function schemaOf(
  code: string,
  schema: string,
  files: Readonly<Record<string, string>> = {},
  file = 'tools.ts',
): Promise<string> {
  return outline((await evaluate(code, schema, files, file)).tool('t'));
}
