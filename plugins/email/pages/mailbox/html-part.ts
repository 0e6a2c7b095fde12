import type { Attachment } from 'postal-mime';
import type { PageAnswer } from '#core/kernel/page.js';
import { policyText } from '#core/surfaces/pages/page.js';
import type { StoredMail } from '../../mailbox/store.js';
import { answer, bytesOf, inert } from './files.js';
import { scaling } from './scaling.js';

/**
 * Links open in a new window, which is a normal one. Scripts, forms, navigation and access to this page's own origin
 * are blocked.
 */
export const sandbox = 'allow-popups allow-popups-to-escape-sandbox';

/**
 * The most bytes of images that one document contains, after encoding: a message may name the same image many times.
 */
const mostImageBytes = 32 * 1024 ** 2;

/**
 * The HTML part as a separate document in a frame of the message's page. A srcdoc would inherit that page's policy and
 * its nonce, and lose the styles of every mail.
 */
export function htmlPart({ email }: StoredMail): PageAnswer | undefined {
  const { html: markup, attachments } = email;
  if (markup === undefined) return undefined;
  // At the end: before the doctype it would change the layout of the mail.
  const body = `${withInlineImages(markup, attachments)}\n<base target="_blank">${scaling(markup)}`;
  return answer(body, 'text/html; charset=utf-8', {
    'Content-Security-Policy': policyText({
      ...inert,
      sandbox,
      'style-src': "'unsafe-inline'",
      'img-src': 'data:',
      'frame-ancestors': "'self'",
    }),
  });
}

/** Inlines the images that are part of the mail (RFC 2392, cid:), up to 32 MiB. Remote images are not loaded. */
function withInlineImages(markup: string, attachments: readonly Attachment[]): string {
  const images = new Map(
    attachments
      .filter(({ contentId, mimeType }) => contentId !== undefined && /^image\/[\w.+-]+$/.test(mimeType))
      .map((image) => [(image.contentId ?? '').replace(/^<|>$/g, ''), image]),
  );
  const encoded = new Map<string, string>();
  let left = mostImageBytes;
  return markup.replace(/\bcid:([^"'\s)<>]+)/gi, (whole, id: string) => {
    const image = images.get(id);
    if (!image) return whole;
    const address = encoded.get(id) ?? `data:${image.mimeType};base64,${bytesOf(image).toString('base64')}`;
    encoded.set(id, address);
    if (address.length > left) return whole;
    left -= address.length;
    return address;
  });
}
