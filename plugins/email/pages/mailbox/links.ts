import type { Email } from 'postal-mime';
import { webAddress } from '#core/surfaces/pages/theme.js';

const mostLinks = 30;

/**
 * The web addresses in a message, each once. Links in the framed HTML do nothing, so this is how a developer follows the link of an
 * invitation or a sign-in.
 */
export function linksIn({ text = '', html = '' }: Pick<Email, 'text' | 'html'>): string[] {
  const written = [...text.matchAll(/https?:\/\/[^\s<>"']+/gi)].map(([address]) =>
    address.replace(/[).,;:!?\]]+$/, ''),
  );
  const linked = [...html.matchAll(/\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)].map(([, double, single]) =>
    (double ?? single ?? '').replace(/&(amp|#38|#x26);/gi, '&'),
  );
  const addresses = [...written, ...linked].flatMap((address) => webAddress(address.trim(), ['http:', 'https:']) ?? []);
  return [...new Set(addresses)].slice(0, mostLinks);
}
