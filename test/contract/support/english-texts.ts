import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../../', import.meta.url));

interface EnglishText {
  /** `docs/billing.md:7` */
  readonly place: string;
  readonly text: string;
}

const filesIn = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => `${folder}/${name}`)
    .sort();

/** The lines of all documents, without code. */
export function linesOfDocuments(): EnglishText[] {
  const paths = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...filesIn('docs', /\.md$/)];
  return paths.flatMap((path) => {
    const withoutBlocks = readFileSync(join(root, path), 'utf8').replace(/^ *```[\s\S]*?^ *```/gm, (block) =>
      block.replace(/[^\n]/g, ''),
    );
    return withoutBlocks.split('\n').map((line, index) => ({
      place: `${path}:${index + 1}`,
      text: line.replace(/`[^`]*`|\]\([^)]*\)/g, ' '),
    }));
  });
}

/** The strings with a space, and the texts between tags, of the console's screens. */
export function textsOfConsole(): EnglishText[] {
  const folders = [
    'core/surfaces/console',
    ...readdirSync(join(root, 'plugins'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `plugins/${name}/console`),
  ];
  return folders.flatMap((folder) => filesIn(folder, /\.tsx?$/)).flatMap((path) => textsOfSource(path));
}

function textsOfSource(path: string): EnglishText[] {
  const source = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true);
  const texts: EnglishText[] = [];
  const visit = (node: ts.Node): void => {
    const isText =
      ts.isStringLiteral(node) ||
      ts.isNoSubstitutionTemplateLiteral(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node) ||
      ts.isJsxText(node);
    if (isText && /\w \w/.test(node.text)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      texts.push({ place: `${path}:${line + 1}`, text: node.text });
    }
    if (!ts.isImportDeclaration(node)) ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}
