import type { Email } from 'postal-mime';
import { html, type Markup } from '#core/surfaces/pages/html.js';
import { webAddress } from '#core/surfaces/pages/theme.js';

const mostLinks = 100;
/** Longer ones are not links that a person follows. */
const longestLink = 4_000;

/** Characters that end a sentence or close a bracket after an address, rather than belong to it. */
const after = new Set(').,;:!?]');

/** A web address in a text; `end` is the index behind it. */
interface WrittenAddress {
  start: number;
  end: number;
  address: string;
}

/** The web addresses in a text. Takes time in proportion to the text, whatever it contains. */
function* addressesIn(text: string): Generator<WrittenAddress> {
  for (const { index, 0: written } of text.matchAll(/https?:\/\/[^\s<>"']+/gi)) {
    let length = written.length;
    while (length > 0 && after.has(written.charAt(length - 1))) length -= 1;
    if (length > longestLink) continue;
    const address = webAddress(written.slice(0, length), ['http:', 'https:']);
    if (address !== null) yield { start: index, end: index + length, address };
  }
}

/** The web addresses that the links of an HTML text lead to. */
function* targetsIn(markup: string): Generator<string> {
  for (const [, double, single] of markup.matchAll(/\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)) {
    const written = double ?? single ?? '';
    if (written.length > longestLink) continue;
    const address = webAddress(written.replace(/&(amp|#38|#x26);/gi, '&').trim(), ['http:', 'https:']);
    if (address !== null) yield address;
  }
}

/** The web addresses in a message, each once; 100 at most. */
export function linksIn({ text = '', html: markup = '' }: Pick<Email, 'text' | 'html'>): string[] {
  const found = new Set<string>();
  for (const { address } of addressesIn(text)) if (found.add(address).size >= mostLinks) break;
  for (const address of targetsIn(markup)) if (found.size >= mostLinks || found.add(address).size >= mostLinks) break;
  return [...found];
}

/** The web addresses in List-Unsubscribe (RFC 2369): mail programs show them as a button of their own. */
export function unsubscribeLinksIn({ headers }: Pick<Email, 'headers'>): string[] {
  const value = headers.find(({ key }) => key === 'list-unsubscribe')?.value.slice(0, longestLink) ?? '';
  return [...value.matchAll(/<([^<>\s]+)>/g)].flatMap(
    ([, written = '']) => webAddress(written, ['http:', 'https:']) ?? [],
  );
}

/** A text whose first 100 web addresses are links. */
export function withLinks(text: string): Markup[] {
  const parts: Markup[] = [];
  let from = 0;
  for (const { start, end, address } of addressesIn(text)) {
    parts.push(text.slice(from, start), link(address, text.slice(start, end)));
    from = end;
    if (parts.length >= 2 * mostLinks) break;
  }
  return [...parts, text.slice(from)];
}

/** A link that opens in a new window and tells the site nothing of this page. */
export const link = (address: string, words = address): Markup =>
  html`<a href=${address} target="_blank" rel="noopener noreferrer">${words}</a>`;
