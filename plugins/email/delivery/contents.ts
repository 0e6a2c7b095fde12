import { rowsOf } from '#core/messaging/load.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { idBytes } from '#core/runtime/id.js';
import { hasBroadcastContent, renderBroadcastContents, type BroadcastContent } from '../broadcasts/content.js';
import type { Attachment } from '../messages/attachments.js';
import { attachmentParts } from '../tables/attachment-part.js';
import { attachments, type AttachmentRow } from '../tables/attachment.js';
import { contents, type ContentRow } from '../tables/content.js';
import type { MessageRow } from '../tables/message.js';

/** A content and the data about its attachments, without their bytes. */
export interface LoadedContent extends ContentRow {
  readonly files: readonly AttachmentRow[];
}

/** A message of a broadcast as it is submitted. */
export interface ComposedMail {
  /** In ASCII. */
  readonly raw: string;
  readonly envelopeFrom: string;
  readonly subject: string;
  readonly locale: string;
}

/**
 * The content of a message: stored with it, or rendered for the recipient of a broadcast, perhaps composed.
 */
export type MailContent = LoadedContent | BroadcastContent | ComposedMail;

/**
 * Reads or renders the contents of messages. @returns stored ones by content id, contents of broadcasts by message id
 */
export async function loadMailContents(
  { database, read }: Pick<WorkerServices, 'database' | 'read'>,
  messages: readonly MessageRow[],
): Promise<ReadonlyMap<string, MailContent>> {
  const ofBroadcasts = messages.filter(hasBroadcastContent);
  const single = messages.filter((message) => !hasBroadcastContent(message));
  const [stored, rendered] = await Promise.all([
    loadContents(database, single),
    ofBroadcasts.length === 0 ? [] : read('Broadcast', (context) => renderBroadcastContents(context, ofBroadcasts)),
  ]);
  return new Map<string, MailContent>([...stored, ...rendered]);
}

/** Reads the contents of messages, each once, no matter how many messages share it. @returns by content id */
async function loadContents(
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
  return new Map(
    rowsOf(contentRows)
      .map(contents.decode)
      .map((row) => [row.id, { ...row, files: files.filter(({ contentId }) => contentId === row.id) }]),
  );
}

/** Reads the attachments of one content, which may have 10 MiB. */
export async function loadAttachments(
  database: WorkerServices['database'],
  { id, files }: LoadedContent,
): Promise<Attachment[]> {
  if (files.length === 0) return [];
  const rows = await database.rows<object>(
    `SELECT ${attachmentParts.columnList()} FROM email_attachment_part WHERE content_id = ? ORDER BY position, part`,
    [idBytes(id)],
  );
  const parts = rows.map(attachmentParts.decode);
  return files.map(({ position, filename, contentType, inlineId }) => ({
    filename,
    contentType,
    contentId: inlineId,
    content: Buffer.concat(parts.filter((part) => part.position === position).map(({ data }) => data)),
  }));
}
