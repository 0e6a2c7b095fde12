/* What the translations of template languages to Liquid have in common. */

/** A text in Liquid, and what could not be translated: it is left as it is, where Liquid does not read it. */
export interface Translation {
  readonly text: string;
  readonly untranslated: readonly string[];
}

/** A piece of another language in Liquid; undefined if it cannot be translated. */
type Translate = (piece: string) => string | undefined;

/** Text that Liquid passes on unchanged. */
const verbatim = (text: string): string => `{% raw %}${text}{% endraw %}`;

/** An output of a field that contacts may lack. */
export const output = (field: string): string => `{{ ${field} | default: "" }}`;

/** A path in Liquid to a property: `contact.properties.plan`, or with brackets for names that are not identifiers. */
export const propertyPath = (key: string): string =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) ? `contact.properties.${key}` : `contact.properties[${JSON.stringify(key)}]`;

/** A literal of a condition, as Liquid reads it. */
export const literal = (text: string): string => {
  const plain = text.trim().replace(/^(["'`])(.*)\1$/s, '$2');
  if (/^-?\d+(?:\.\d+)?$/.test(text.trim())) return text.trim();
  return plain.includes('"') ? `'${plain.replaceAll("'", '’')}'` : `"${plain}"`;
};

/**
 * Translates the pieces of a text.
 * @param pieces finds them; what is between them stays
 */
export function translated(text: string, pieces: RegExp, translate: Translate): Translation {
  const untranslated: string[] = [];
  let result = '';
  let end = 0;
  for (const match of text.matchAll(pieces)) {
    const [piece] = match;
    result += text.slice(end, match.index);
    end = match.index + piece.length;
    const found = translate(piece);
    if (found === undefined) untranslated.push(piece.replace(/\s+/g, ' ').slice(0, 80));
    result += found ?? verbatim(piece);
  }
  return { text: result + text.slice(end), untranslated: [...new Set(untranslated)] };
}
