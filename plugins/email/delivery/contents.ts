import { rowsOf } from '#core/messaging/load.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { idBytes } from '#core/runtime/id.js';
import type { Attachment } from '../messages/attachments.js';
import { attachmentParts } from '../tables/attachment-part.js';
import { attachments, type AttachmentRow } from '../tables/attachment.js';
import { contents, type ContentRow } from '../tables/content.js';
import type { MessageRow } from '../tables/message.js';

/** A content with the bytes of its attachments. */
export interface LoadedContent extends ContentRow {
  readonly attachments: readonly Attachment[];
}

/** Reads the contents of messages, each once, however many messages share it. @returns by content id */
export async function loadContents(
  database: WorkerServices['database'],
  messages: readonly MessageRow[],
): Promise<Map<string, LoadedContent>> {
  const ids = [...new Set(messages.flatMap(({ contentId }) => contentId ?? []))].map(idBytes);
  if (ids.length === 0) return new Map();
  const [contentRows, attachmentRows] = await database.batch(
    `SELECT ${contents.columnList()} FROM email_content WHERE id IN (?);
     SELECT ${attachments.columnList()} FROM email_attachment WHERE content_id IN (?) ORDER BY content_id, position`,
    [ids, ids],
  );
  const files = rowsOf(attachmentRows).map(attachments.decode);
  const loaded = new Map<string, LoadedContent>();
  for (const row of rowsOf(contentRows).map(contents.decode)) {
    const own = files.filter(({ contentId }) => contentId === row.id);
    loaded.set(row.id, { ...row, attachments: own.length > 0 ? await loadAttachments(database, row.id, own) : [] });
  }
  return loaded;
}

/** One content at a time: attachments may have 10 MiB. */
async function loadAttachments(
  database: WorkerServices['database'],
  contentId: string,
  files: readonly AttachmentRow[],
): Promise<Attachment[]> {
  const rows = await database.rows<object>(
    `SELECT ${attachmentParts.columnList()} FROM email_attachment_part WHERE content_id = ? ORDER BY position, part`,
    [idBytes(contentId)],
  );
  const parts = rows.map(attachmentParts.decode);
  return files.map(({ position, filename, contentType, inlineId }) => ({
    filename,
    contentType,
    contentId: inlineId,
    content: Buffer.concat(parts.filter((part) => part.position === position).map(({ data }) => data)),
  }));
}
