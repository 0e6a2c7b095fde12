import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folders = ['config', 'core', 'plugins', 'migrations', 'scripts', 'test', 'examples'];
/** What these export is for code outside this repository, or is found by its path. */
const forOthers = /^(?:core\/surfaces\/(?:sdk|console\/kit)|examples|migrations)\//;

const sources = folders
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
  .filter(
    ({ name, parentPath }) =>
      /\.(?:tsx?|mts|mjs|js)$/.test(name) && !/\/(?:node_modules|dist)(?:\/|$)/.test(parentPath),
  )
  .map(({ name, parentPath }) => relative(root, join(parentPath, name)));
const textOf = new Map(sources.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

/** The files that import each name, and the names of the files that are imported as a whole. */
function importsOf(): { importers: Map<string, Set<string>>; whole: Set<string> } {
  const importers = new Map<string, Set<string>>();
  const whole = new Set<string>();
  for (const [file, text] of textOf) {
    for (const [, list = ''] of text.matchAll(/(?:import|export)\s+(?:type\s+)?(?:\w+\s*,\s*)?\{([^}]*)\}\s*from/g)) {
      for (const each of list.split(',')) {
        const name =
          each
            .trim()
            .replace(/^type\s+/, '')
            .split(/\s/)[0] ?? '';
        importers.set(name, (importers.get(name) ?? new Set()).add(file));
      }
    }
    // An interface that others extend by declaration merging.
    const [extensions = ''] = /^declare module [\s\S]*/m.exec(text) ?? [];
    for (const [, name = ''] of extensions.matchAll(/^ +interface (\w+)/gm))
      importers.set(name, (importers.get(name) ?? new Set()).add(file));
    const wholeImports = /(?:(?:import|export)\s*\*[^'"]*from\s*|import\(\s*)['"`]([^'"`]+)['"`]/g;
    for (const [, path = ''] of text.matchAll(wholeImports)) whole.add(basename(path).replace(/\.\w+$/, ''));
  }
  return { importers, whole };
}

/** Whether a file really exports the name: programs in its strings export names for others. */
function isExported(file: string, name: string): boolean {
  const { statements } = ts.createSourceFile(file, textOf.get(file) ?? '', ts.ScriptTarget.Latest);
  return statements.some(
    (statement) =>
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true &&
      (ts.isVariableStatement(statement)
        ? statement.declarationList.declarations.some((each) => ts.isIdentifier(each.name) && each.name.text === name)
        : ts.isDeclarationStatement(statement) && statement.name?.text === name),
  );
}

describe('Exports', () => {
  it('are used in another file: what only its own file uses is not exported', () => {
    const { importers, whole } = importsOf();
    const declaration = /^export (?:async |abstract )*(?:const|let|function\*?|interface|type|class) ([\w$]+)/gm;
    const unused = [...textOf]
      .filter(([file]) => /(?<!\.gen)(?<!\.d)\.tsx?$/.test(file) && !forOthers.test(file))
      .filter(([file]) => !whole.has(basename(file).replace(/\.\w+$/, '')))
      .flatMap(([file, text]) =>
        [...text.matchAll(declaration)].flatMap(([, name = '']) => {
          const others = [...(importers.get(name) ?? [])].filter((importer) => importer !== file);
          return others.length === 0 && isExported(file, name) ? [`${file}: ${name}`] : [];
        }),
      );
    expect(unused).to.deep.equal([]);
  });
});
