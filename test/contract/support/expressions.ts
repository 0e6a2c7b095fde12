import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/*
 * The regular expressions of the server's sources: literals, and those that `new RegExp` builds. Constants in a built
 * expression are resolved by their names; anything else in it stands for a word.
 */

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** They run in browsers, on the machine of a customer with the customer's files, or on our own texts at the start. */
const elsewhere =
  /^core\/surfaces\/(?:cli|console\/(?:app|kit)|docs|openapi|reference|sdk|sdk-go|sdk-python)\/|^plugins\/\w+\/console\//;

export interface Expression {
  /** Such as `core/runtime/id.ts:12`. */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return /\.tsx?$/.test(entry.name) && !/\.gen\.ts$|\.d\.ts$/.test(entry.name) ? [path] : [];
  });

const sources = ['config', 'core', 'plugins']
  .flatMap((folder) => filesIn(join(root, folder)))
  .filter((path) => !elsewhere.test(relative(root, path)))
  .map((path) => ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true));

/** The values of constants by name, of all files: names of grammars are distinct, or mean the same. */
const constants = new Map<string, ts.Expression>();

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => visit(child, see));
}

for (const file of sources)
  visit(file, (node) => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      constants.set(node.name.text, node.initializer);
  });

/** A text that an expression may have. */
function textOf(node: ts.Expression, depth = 0): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isRegularExpressionLiteral(node)) return node.text.slice(1, node.text.lastIndexOf('/'));
  if (ts.isTaggedTemplateExpression(node)) return textOf(node.template, depth);
  if (ts.isTemplateExpression(node))
    return node.templateSpans.reduce(
      (text, span) => `${text}${textOf(span.expression, depth)}${span.literal.text}`,
      node.head.text,
    );
  const known = ts.isIdentifier(node) && depth < 5 ? constants.get(node.text) : undefined;
  return known ? textOf(known, depth + 1) : '9';
}

const placeOf = (node: ts.Node): string => {
  const file = node.getSourceFile();
  return `${relative(root, file.fileName)}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
};

/** @returns each expression of the server, some several times */
export function allExpressions(): Expression[] {
  const found: Expression[] = [];
  for (const file of sources)
    visit(file, (node) => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/');
        found.push({ place: placeOf(node), source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
      } else if (
        (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
        ts.isIdentifier(node.expression) &&
        node.expression.text === 'RegExp'
      ) {
        const [pattern, flags] = node.arguments ?? [];
        if (pattern) found.push({ place: placeOf(node), source: textOf(pattern), flags: flags ? textOf(flags) : '' });
      }
    });
  return found;
}
