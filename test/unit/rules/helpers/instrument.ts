import { ts } from '../../../../server/src/discovery/typescript.ts';

/**
 * Turns a small source file into JavaScript that records what was made where: every call, every read of `.shape`, every
 * literal with a spread and every rest of a destructured shape. Far simpler than the product's own evaluation, so that
 * a fault there is no excuse here.
 */
export function instrument(text: string): string {
  const plain = text
    .replace(/^import [^;]*;/gm, (line) => ' '.repeat(line.length))
    .replace(/^export /gm, (word) => ' '.repeat(word.length));
  const source = ts.createSourceFile('tools.ts', plain, ts.ScriptTarget.Latest, true);
  const emit = (node: ts.Node): string => wrap(node, splice(node));
  const splice = (node: ts.Node): string => {
    let made = '';
    let at = node.getStart();
    node.forEachChild((child) => {
      made += plain.slice(at, child.getStart()) + emit(child);
      at = child.end;
    });
    return made + plain.slice(at, node.end);
  };
  const wrap = (node: ts.Node, inner: string): string => {
    const span = `${node.getStart()}, ${node.end}`;
    if (ts.isCallExpression(node)) {
      const args = `[${node.arguments.map(emit).join(', ')}]`;
      if (ts.isPropertyAccessExpression(node.expression)) {
        const { expression, name } = node.expression;
        return `$.method(${span}, ${JSON.stringify(name.text)}, ${emit(expression)}, () => ${args})`;
      }
      return `$.call(${span}, ${JSON.stringify(node.expression.getText())}, ${emit(node.expression)}, () => ${args})`;
    }
    if (ts.isPropertyAccessExpression(node) && node.name.text === 'shape') {
      return `$.shape(${span}, ${emit(node.expression)})`;
    }
    if (ts.isObjectLiteralExpression(node) && node.properties.some(ts.isSpreadAssignment))
      return `$.literal(() => (${inner}))`;
    if (ts.isSpreadAssignment(node)) return `...$.spread(${emit(node.expression)})`;
    if (ts.isVariableStatement(node)) {
      const [declaration] = node.declarationList.declarations;
      const rest =
        declaration && ts.isObjectBindingPattern(declaration.name)
          ? declaration.name.elements.find((element) => element.dotDotDotToken)
          : undefined;
      if (rest && declaration?.initializer) return `${inner} $.rest(${rest.name.getText()});`;
    }
    return inner;
  };
  const { outputText } = ts.transpileModule(emit(source), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  return outputText;
}
