import { ts } from '../../discovery/typescript.ts';

/** How a file is written, as far as code that is put into it has to look like it. */
export interface CodeStyle {
  readonly quote: "'" | '"';
  /** One step of indentation. */
  readonly indent: string;
  readonly newline: '\n' | '\r\n';
  readonly semicolon: '' | ';';
}

/** The style that most of a file is written in. */
export function codeStyleOf(source: ts.SourceFile): CodeStyle {
  const { text } = source;
  let single = 0;
  let double = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node)) {
      if (text.charAt(node.getStart(source)) === '"') double++;
      else single++;
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  const ended = source.statements.filter(isEndedBySemicolon);
  const bare = ended.filter((statement) => text.charAt(statement.end - 1) !== ';');
  return {
    quote: double > single ? '"' : "'",
    indent: /^(\t| {2,})\S/m.exec(text)?.[1]?.replace(/^( {4}) {4,}$/, '$1') ?? '  ',
    newline: text.includes('\r\n') ? '\r\n' : '\n',
    semicolon: bare.length * 2 > ended.length ? '' : ';',
  };
}

function isEndedBySemicolon(statement: ts.Statement): boolean {
  return ts.isVariableStatement(statement) || ts.isExpressionStatement(statement) || ts.isImportDeclaration(statement);
}

/** A string literal of a text. */
export function quoted(text: string, { quote }: Pick<CodeStyle, 'quote'>): string {
  const json = JSON.stringify(text).slice(1, -1);
  return quote === '"' ? `"${json}"` : `'${json.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** What stands before the first word of a line that an offset is in. */
export function indentationAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start))?.[0] ?? '';
}
