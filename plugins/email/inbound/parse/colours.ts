/*
 * The colours of a received mail. A text in white is readable only on the background that it was written for, so the
 * background stays, also if it is given with an image, which is not loaded, or on an element that is removed.
 */

type Attributes = Readonly<Record<string, string>>;

interface Declaration {
  readonly name: string;
  readonly value: string;
}

/** Longer styles are removed: a style of this length has hundreds of declarations. */
const mostInStyle = 10_000;

/** The declarations of a style attribute. A semicolon within brackets or quotes, as in a `data:` URL, ends none. */
function declarationsOf(style: string): Declaration[] {
  const found: Declaration[] = [];
  let [start, depth, quote] = [0, 0, ''];
  const take = (end: number): void => {
    const text = style.slice(start, end);
    const colon = text.indexOf(':');
    if (colon > 0) found.push({ name: text.slice(0, colon).trim().toLowerCase(), value: text.slice(colon + 1).trim() });
    start = end + 1;
  };
  for (let at = 0; at < style.length; at += 1) {
    const character = style.charAt(at);
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '(') depth += 1;
    else if (character === ')') depth = Math.max(0, depth - 1);
    else if (character === ';' && depth === 0) take(at);
  }
  take(style.length);
  return found;
}

const colour = /#[\da-f]{3,8}\b|\b(?:rgb|hsl)a?\([^()]{1,60}\)/i;

/** Words of `background` that are not colours (CSS Backgrounds 3). */
const otherWords =
  /^(?:none|repeat|repeat-[xy]|no-repeat|space|round|scroll|fixed|local|top|right|bottom|left|center|auto|cover|contain|(?:border|padding|content)-box|inherit|initial|unset|revert|important|to|deg)$/i;

/** The colour in a background, which may also have an image or a gradient; undefined if there is none. */
function colourIn(value: string): string | undefined {
  const withoutFiles = value.replaceAll(/url\([^()]*\)/gi, ' ');
  const found = colour.exec(withoutFiles)?.[0];
  if (found !== undefined) return found;
  const named = withoutFiles.match(/(?<![\w-])[a-z-]+(?![\w(-])/gi) ?? [];
  return named.find((word) => !otherWords.test(word));
}

const isPlain = (value: string): boolean => !/(?:url|gradient|image|src|var|element)\b|\(.*\(/i.test(value);

/** A style whose background is a colour if it has an image. */
function styleOf(style: string): string {
  if (style.length > mostInStyle) return '';
  const declarations = declarationsOf(style);
  const hasColour = declarations.some(({ name }) => name === 'background-color');
  return declarations
    .flatMap(({ name, value }) => {
      if ((name !== 'background' && name !== 'background-image') || isPlain(value)) return `${name}:${value}`;
      const found = colourIn(value);
      return found === undefined || (hasColour && name === 'background-image') ? [] : `background-color:${found}`;
    })
    .join(';');
}

/** The attributes of an element, with the colour of its background in place of an image, hidden if it was. */
export function withColours(attribs: Attributes): Record<string, string> {
  const { style, hidden } = attribs;
  if (style === undefined && hidden === undefined) return { ...attribs };
  const declarations = [styleOf(style ?? ''), ...(hidden === undefined ? [] : ['display:none'])];
  return { ...attribs, style: declarations.filter((each) => each !== '').join(';') };
}

/** A colour in an attribute of HTML 4: `#000000`, `000000`, `black`. */
function attributeColour(name: string, value: string | undefined): string[] {
  const written = (value ?? '').trim();
  if (/^[\da-f]{6}$/i.test(written)) return [`${name}:#${written}`];
  return /^(?:#[\da-f]{3,8}|[a-z]{3,30})$/i.test(written) ? [`${name}:${written}`] : [];
}

/**
 * The page's own element, which is removed from a received mail, as a block with its colours and direction. Without
 * them, it stays what it is, and is removed.
 */
export function pageOf(tagName: string, attribs: Attributes): { tagName: string; attribs: Record<string, string> } {
  const { dir, lang } = attribs;
  const style = [
    ...attributeColour('background-color', attribs['bgcolor']),
    ...attributeColour('color', attribs['text']),
    styleOf(attribs['style'] ?? ''),
  ]
    .filter((each) => each !== '')
    .join(';');
  if (style === '' && dir === undefined) return { tagName, attribs: {} };
  return {
    tagName: 'div',
    attribs: {
      ...(style === '' ? {} : { style }),
      ...(dir === undefined ? {} : { dir }),
      ...(lang === undefined ? {} : { lang }),
    },
  };
}
