import sanitizeHtml from 'sanitize-html';
import { pageOf, withColours } from './colours.js';
import { absolute, bareContentId } from './repair.js';

/** Colours, sizes, fonts and borders: nothing that loads a file (`url(…)`), covers a page or runs. */
const safeStyle = [/^(?!.*(?:url|src|expression|image|import|var)\b)[-\w\s#.,%()'"!/]{1,200}$/is];

const styles = [
  'background',
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
  'mso-hide',
  'opacity',
  'overflow',
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
  'visibility',
  'white-space',
  'width',
  'word-break',
];

/**
 * An address that means the same on every page. `https:path` does not: a page on https resolves it against its own
 * address (WHATWG URL §4.4).
 */
const linkPattern = /^(?:https?:\/\/|mailto:|tel:)/i;
const imagePattern = /^(?:https?:\/\/|cid:)/i;

/**
 * The address if it matches, as browsers read it: without surrounding spaces and control characters, and without line
 * ends and tabs.
 */
function addressLike(pattern: RegExp, given = ''): string | undefined {
  const text = given.replaceAll(/[\t\n\r]/g, '');
  let [start, end] = [0, text.length];
  // Not with a regular expression: one that ends with `+$` takes a time that grows with the square of a run of spaces.
  while (start < end && text.charCodeAt(start) <= 0x20) start += 1;
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end -= 1;
  const address = text.slice(start, end);
  return pattern.test(address) ? address : undefined;
}

/**
 * The nesting depth of elements. The parser moves its whole stack for each of them, so its time grows with the square
 * of their depth: 100,000 took 6 s. Mail programs nest a few hundred, in long conversations.
 */
const mostDepth = 2_000;

/** Ends the parser. */
class TooDeep extends Error {}

/** The attachments that the HTML of a message may show. */
interface InlineFiles {
  /** The base of relative addresses in the HTML; empty if there is none. */
  readonly base: string;
  readonly files: readonly {
    readonly attachmentId: string;
    readonly contentId: string | null;
    /** Absolute. */
    readonly location: string | null;
  }[];
}

const layout = ['align', 'valign', 'width', 'height', 'bgcolor'];

/**
 * The HTML of a received message without anything that runs, loads or requests input: scripts, styles in blocks, forms,
 * frames, event handlers. Of the content that is fetched from elsewhere, only images stay; the program that shows the
 * message decides whether to load them. An address that a page would resolve against itself is removed.
 * @param inline `cid:logo` (RFC 2392) and the address of an attachment (RFC 2557) become `cid:<attachmentId>`, for
 * email.inbound.attachment.get
 * @returns null if its elements are nested too deeply
 */
export function sanitized(markup: string, inline: InlineFiles): string | null {
  const findFile = fileFinder(markup, inline);
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
      '*': (tagName, attribs) => ({ tagName, attribs: withColours(attribs) }),
      body: pageOf,
      html: pageOf,
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
    const id = findFile(given ?? '');
    if (id !== undefined) return { src: `cid:${id}` };
    const src = addressLike(imagePattern, given);
    return src === undefined || /^cid:/i.test(src) ? {} : { src };
  }
}

/** The id of the attachment that an address in HTML names; undefined for any other address. */
function fileFinder(markup: string, { base, files }: InlineFiles): (address: string) => string | undefined {
  const byContentId = new Map<string, string>();
  const byLocation = new Map<string, string>();
  for (const { attachmentId, contentId, location } of files) {
    if (contentId !== null && !byContentId.has(contentId)) byContentId.set(contentId, attachmentId);
    if (location !== null && !byLocation.has(location)) byLocation.set(location, attachmentId);
  }
  const stated = /<base\s[^>]{0,500}?href\s*=\s*["']?([^"'\s>]{1,500})/i.exec(markup.slice(0, 16_384))?.[1];
  const start = absolute(stated, base) ?? base;
  return (written) => {
    const address = written.trim();
    if (/^cid:/i.test(address)) {
      const contentId = bareContentId(address.slice(4));
      const found = byContentId.get(contentId) ?? byContentId.get(percentDecoded(contentId));
      if (found !== undefined) return found;
    }
    return byLocation.size === 0 ? undefined : byLocation.get(absolute(address, start) ?? '');
  };
}

/** The text with `%hh` (RFC 3986 §2.1) decoded; unchanged if the result is not text. */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll(/%(?![\da-f]{2})/gi, '%25'));
  } catch {
    return text;
  }
}
