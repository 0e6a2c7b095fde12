import type { ErrorMakers, SvcError } from '#core/kernel/errors/errors.js';
import { hasControls } from '#core/messaging/input.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import type { MessageInput } from './input.js';

export interface Attachment {
  filename: string;
  contentType: string;
  contentId: string | null;
  content: Buffer;
}

const mostBytes = 10 * 1024 * 1024;

/**
 * Decodes the attachments.
 * @throws invalid_input naming the field; attachments_too_large if they exceed 10 MiB together
 */
export function decodeAttachments(
  input: MessageInput,
  fail: ErrorMakers<'attachments_too_large', SvcError>,
): Attachment[] {
  let bytes = 0;
  const contentIds = new Set<string>();
  const files = (input.attachments ?? []).map(({ filename, contentType, contentId, content }, index) => {
    const field = `attachments[${index}]`;
    if (hasControls(filename) || /[/\\]/.test(filename))
      throw invalidField(`${field}.filename`, 'must be a plain file name, without slashes and control characters');
    if (contentId !== undefined) {
      if (contentIds.has(contentId))
        throw invalidField(`${field}.contentId`, 'must differ from those of other attachments');
      contentIds.add(contentId);
    }
    const data = decodedBase64(content);
    if (!data) throw invalidField(`${field}.content`, 'must be base64 (RFC 4648), without line breaks');
    bytes += data.length;
    return { filename, contentType, contentId: contentId ?? null, content: data };
  });
  requireAttachmentSize(bytes, fail);
  return files;
}

/** @throws attachments_too_large if the attachments of a message exceed 10 MiB together */
export function requireAttachmentSize(bytes: number, fail: ErrorMakers<'attachments_too_large', SvcError>): void {
  if (bytes > mostBytes) throw fail.attachments_too_large({ bytes, limit: mostBytes });
}

/** Decodes base64 with or without padding (RFC 4648 §4 and §3.2). @returns undefined for anything else */
export function decodedBase64(content: string): Buffer | undefined {
  // Buffer.from skips invalid characters, so the result is encoded again and compared. A pattern such as /=+$/ would
  // take quadratic time over megabytes of `=`.
  const data = Buffer.from(content, 'base64');
  const padded = data.toString('base64');
  const bare = padded.slice(0, Math.ceil((data.length * 4) / 3));
  return content === padded || content === bare ? data : undefined;
}
