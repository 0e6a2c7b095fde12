import sanitizeHtml from 'sanitize-html';

/** Colours, sizes, fonts and borders: nothing that loads a file (`url(…)`), covers a page or runs. */
const safeStyle = [/^(?!.*(?:url|src|expression|image|import|var)\b)[-\w\s#.,%()'"!/]{1,200}$/is];

const styles = [
  'background-color',
  'border',
  'border-bottom',
  'border-collapse',
  'border-color',
  'border-left',
  'border-radius',
  'border-right',
  'border-spacing',
  'border-style',
  'border-top',
  'border-width',
  'color',
  'display',
  'direction',
  'font',
  'font-family',
  'font-size',
  'font-style',
  'font-weight',
  'height',
  'letter-spacing',
  'line-height',
  'list-style-type',
  'margin',
  'margin-bottom',
  'margin-left',
  'margin-right',
  'margin-top',
  'max-height',
  'max-width',
  'min-width',
  'padding',
  'padding-bottom',
  'padding-left',
  'padding-right',
  'padding-top',
  'text-align',
  'text-decoration',
  'text-indent',
  'text-transform',
  'vertical-align',
  'white-space',
  'width',
  'word-break',
];

/** An address that means the same on every page. `https:path` does not: a page on https resolves it against its own address (WHATWG URL §4.4). */
const linkPattern = /^(?:https?:\/\/|mailto:|tel:)/i;
const imagePattern = /^(?:https?:\/\/|cid:)/i;

/** The address if it matches, as browsers read it: without spaces and control characters around it, and without line ends and tabs. */
function addressLike(pattern: RegExp, given = ''): string | undefined {
  const address = given.replaceAll(/[\t\n\r]/g, '').replaceAll(/^[\0-\x20]+|[\0-\x20]+$/g, '');
  return pattern.test(address) ? address : undefined;
}

/**
 * Elements in each other. The parser moves its whole stack for each of them, so its time grows with the square of their
 * depth: 100,000 took 6 s. Mail programs nest a few hundred, in long conversations.
 */
const mostDepth = 2_000;

/** Ends the parser. */
class TooDeep extends Error {}

const layout = ['align', 'valign', 'width', 'height', 'bgcolor'];

/**
 * The HTML of a received message without what runs, loads or asks for input: scripts, styles in blocks, forms, frames, event handlers. Of
 * what is fetched from elsewhere, only images stay; whoever shows the message decides whether they are loaded. An address that a page would
 * resolve against itself is removed.
 * @param attachmentIds by content id (RFC 2392): `cid:logo` becomes `cid:<attachmentId>`, for email.inbound.attachment.get
 * @returns null if its elements are nested too deeply
 */
export function sanitized(markup: string, attachmentIds: ReadonlyMap<string, string>): string | null {
  let depth = 0;
  const options: sanitizeHtml.IOptions = {
    onOpenTag() {
      depth += 1;
      if (depth > mostDepth) throw new TooDeep();
    },
    onCloseTag() {
      depth -= 1;
    },
    allowedTags: [...sanitizeHtml.defaults.allowedTags, 'img', 'center', 'font', 'del', 'ins', 'strike'],
    allowedAttributes: {
      '*': ['style', 'dir', 'lang', 'title', ...layout],
      a: ['href', 'name', 'rel', 'target'],
      img: ['src', 'alt', 'border'],
      font: ['color', 'face', 'size'],
      table: ['border', 'cellpadding', 'cellspacing'],
      td: ['colspan', 'rowspan'],
      th: ['colspan', 'rowspan', 'scope'],
      ol: ['start', 'type'],
      ul: ['type'],
    },
    allowedStyles: { '*': Object.fromEntries(styles.map((name) => [name, safeStyle])) },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['http', 'https', 'cid'] },
    allowProtocolRelative: false,
    enforceHtmlBoundary: false,
    nestingLimit: 200,
    nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'title', 'xmp', 'template'],
    transformTags: {
      a(tagName, attribs) {
        const href = addressLike(linkPattern, attribs['href']);
        const { name } = attribs;
        return {
          tagName,
          attribs: {
            ...(href === undefined ? {} : { href }),
            ...(attribs['href'] === undefined ? {} : { target: '_blank', rel: 'noopener noreferrer nofollow' }),
            ...(name === undefined ? {} : { name }),
          },
        };
      },
      img: (tagName, { src, ...attribs }) => ({ tagName, attribs: { ...attribs, ...sourceOf(src) } }),
    },
  };
  try {
    return sanitizeHtml(markup, options);
  } catch (error) {
    if (error instanceof TooDeep) return null;
    throw error;
  }

  /** An image of the message itself that is not one of its attachments has no source. */
  function sourceOf(given: string | undefined): { src?: string } {
    const src = addressLike(imagePattern, given);
    if (src === undefined) return {};
    if (!/^cid:/i.test(src)) return { src };
    const id = attachmentIds.get(src.slice(4).trim());
    return id === undefined ? {} : { src: `cid:${id}` };
  }
}
