import type { Email } from 'postal-mime';
import { addressesIn, longestLink, mostLinks } from '#core/surfaces/pages/links.js';
import { webAddress } from '#core/surfaces/pages/theme.js';

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

/** The web addresses in List-Unsubscribe (RFC 2369): mail programs show them as a separate button. */
export function unsubscribeLinksIn({ headers }: Pick<Email, 'headers'>): string[] {
  const value = headers.find(({ key }) => key === 'list-unsubscribe')?.value.slice(0, longestLink) ?? '';
  return [...value.matchAll(/<([^<>\s]+)>/g)].flatMap(
    ([, written = '']) => webAddress(written, ['http:', 'https:']) ?? [],
  );
}
