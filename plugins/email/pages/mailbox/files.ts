import type { Attachment } from 'postal-mime';
import type { PageAnswer } from '#core/kernel/page.js';
import { policyText, privateHeaders } from '#core/surfaces/pages/page.js';
import type { StoredMail } from '../../mailbox/store.js';

/** The policy for content that is not ours: nothing in it runs, and nothing is fetched. */
export const inert = { sandbox: '', 'default-src': "'none'", 'form-action': "'none'", 'base-uri': "'none'" } as const;

/** A file or document of a message, with the headers of hosted pages. */
export const answer = (body: Buffer | string, type: string, headers: Readonly<Record<string, string>>): PageAnswer => ({
  status: 200,
  body,
  type,
  headers: { ...privateHeaders, ...headers },
});

/** The message as a mail server would have received it. */
export const source = ({ raw }: StoredMail): PageAnswer =>
  answer(raw, 'text/plain; charset=utf-8', {
    'Content-Security-Policy': policyText({ ...inert, 'frame-ancestors': "'none'" }),
  });

/**
 * An attachment as a download; it is never displayed, regardless of its type.
 * @param index its place among the attachments, from 0
 */
export function attachmentFile({ email }: StoredMail, index: string): PageAnswer | undefined {
  const attachment = /^\d{1,4}$/.test(index) ? email.attachments[Number(index)] : undefined;
  if (!attachment) return undefined;
  return answer(bytesOf(attachment), 'application/octet-stream', {
    'Content-Disposition': dispositionOf(attachment.filename ?? `attachment-${index}`),
    'Content-Security-Policy': policyText({ ...inert, 'frame-ancestors': "'none'" }),
  });
}

/** The bytes of an attachment, in any type that the parser returned. */
export const bytesOf = ({ content }: Attachment): Buffer =>
  typeof content === 'string'
    ? Buffer.from(content)
    : content instanceof Uint8Array
      ? Buffer.from(content)
      : Buffer.from(content);

/** RFC 6266 with RFC 8187: an ASCII name that every browser supports, and the real one. */
function dispositionOf(filename: string): string {
  // Converted to bytes and back, because a lone surrogate makes encodeURIComponent throw.
  const name = Buffer.from(filename).toString().slice(0, 200);
  const plain = name.replace(/[^\w.\- ]/g, '_');
  const encoded = encodeURIComponent(Buffer.from(name).toString()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
