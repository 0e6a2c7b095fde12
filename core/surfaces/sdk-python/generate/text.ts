/* Helpers that write Python source. */

/** Lines of docstrings have at most this many characters. */
const lineLength = 100;

/** Indents every line that is not empty. */
export const indented = (text: string): string => text.replace(/^(?=.)/gm, '    ');

/** A string literal. JSON's escapes are also Python's. */
export const quoted = (text: string): string => JSON.stringify(text);

/** Breaks a text into lines. Lines after the first begin with `rest`. */
function wrapped(text: string, rest: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.replace(/\s+/g, ' ').trim().split(' ')) {
    if (line !== '' && line.length + 1 + word.length > lineLength) {
      lines.push(line);
      line = rest + word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}

/**
 * A docstring: paragraphs, then fields such as `:param to: …`. Empty texts are left out.
 * @returns an empty text if nothing is left
 */
export function docstring(paragraphs: readonly string[], fields: readonly string[] = []): string {
  const blocks = [
    ...paragraphs.filter((text) => text !== '').map((text) => wrapped(text, '')),
    ...(fields.length === 0 ? [] : [fields.map((text) => wrapped(text, '    ')).join('\n')]),
  ];
  if (blocks.length === 0) return '';
  const text = blocks
    .join('\n\n')
    .replaceAll('\\', '\\\\')
    .replaceAll('"""', String.raw`\"\"\"`);
  return text.includes('\n') ? `"""${text}\n"""` : `"""${text.replace(/"$/, String.raw`\"`)}"""`;
}

/** A statement with an indented body. An empty body is `...`. */
export const block = (head: string, body: readonly string[]): string => {
  const parts = body.filter((part) => part !== '');
  return `${head}\n${indented(parts.length === 0 ? '...' : parts.join('\n'))}`;
};
