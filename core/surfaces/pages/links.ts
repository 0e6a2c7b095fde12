import { html, type Markup } from './html.js';
import { webAddress } from './theme.js';

/** A text of a message has this many links at most. */
export const mostLinks = 100;
/** Longer ones are not links that a person follows. */
export const longestLink = 4_000;

/** Characters that end a sentence or close a bracket after an address, rather than belong to it. */
const after = new Set(').,;:!?]');

/** A web address in a text; `end` is the index behind it. */
interface WrittenAddress {
  start: number;
  end: number;
  address: string;
}

/** The web addresses in a text. Takes time in proportion to the text, whatever it contains. */
export function* addressesIn(text: string): Generator<WrittenAddress> {
  for (const { index, 0: written } of text.matchAll(/https?:\/\/[^\s<>"']+/gi)) {
    let length = written.length;
    while (length > 0 && after.has(written.charAt(length - 1))) length -= 1;
    if (length > longestLink) continue;
    const address = webAddress(written.slice(0, length), ['http:', 'https:']);
    if (address !== null) yield { start: index, end: index + length, address };
  }
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

/** A link that opens in a new window and tells the site nothing about this page. */
export const link = (address: string, words = address): Markup =>
  html`<a href=${address} target="_blank" rel="noopener noreferrer">${words}</a>`;
