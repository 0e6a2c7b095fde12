/* Helpers that write Go source in the form of gofmt, so that the build needs no Go. */

/** Lines of comments have at most this many characters, after the indentation. */
const lineLength = 100;

/** Indents every line that is not empty by one tab. */
export const indented = (text: string): string => text.replace(/^(?=.)/gm, '\t');

/** A string literal. JSON's escapes are also Go's. */
export const quoted = (text: string): string => JSON.stringify(text);

/** Breaks a text into lines. @param first the beginning of the first line @param rest the beginning of the others */
function wrapped(text: string, first = '', rest = ''): string[] {
  const lines: string[] = [];
  let line = first;
  for (const word of text.replace(/\s+/g, ' ').trim().split(' ')) {
    const isEmpty = line === first && lines.length === 0;
    if (!isEmpty && line.length + 1 + word.length > lineLength) {
      lines.push(line);
      line = rest + word;
    } else line += isEmpty ? word : ` ${word}`;
  }
  return [...lines, line];
}

/**
 * A comment: paragraphs, then a list. Empty texts are left out.
 * @returns an empty text if nothing is left
 */
export function comment(paragraphs: readonly string[], list: readonly string[] = []): string {
  const blocks = [
    ...paragraphs.filter((text) => text !== '').map((text) => wrapped(text)),
    ...(list.length === 0 ? [] : [list.flatMap((text) => wrapped(text, '  - ', '    '))]),
  ];
  return blocks.map((lines) => lines.map((line) => `// ${line}`).join('\n')).join('\n//\n');
}

/** A declaration with its comment above. */
export const documented = (doc: string, declaration: string): string =>
  doc === '' ? declaration : `${doc}\n${declaration}`;

/** Statements or members in braces, after a head such as `func f() int`. */
export const block = (head: string, body: string): string =>
  body === '' ? `${head}{}` : `${head} {\n${indented(body)}\n}`;

/** Constants, with aligned values. @param values their texts by name */
export function constants(doc: string, values: ReadonlyMap<string, string>): string {
  const width = Math.max(...[...values.keys()].map((name) => name.length));
  const lines = [...values].map(([name, value]) => `\t${name.padEnd(width)} = ${quoted(value)}`);
  return documented(doc, `const (\n${lines.join('\n')}\n)`);
}
