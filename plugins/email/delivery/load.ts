import { environmentColumns, environmentFrom, type EnvironmentColumns } from '#core/kernel/environment/environment.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { Services } from '#core/kernel/services.js';
import { idBytes } from '#core/runtime/id.js';
import { attachmentParts } from '../tables/attachment-part.js';
import { attachments } from '../tables/attachment.js';
import { contents } from '../tables/content.js';
import { messages, type MessageRow } from '../tables/message.js';
import { recipients, type RecipientRow } from '../tables/recipient.js';
import { openContent } from '../messages/sealed.js';
import type { Attachment } from '../messages/attachments.js';

/** A message with everything that its delivery needs. */
export interface LoadedMessage {
  message: MessageRow;
  environment: Environment;
  /** The last closure of the account that has ended. */
  closure: { from: Date; to: Date } | undefined;
  recipients: RecipientRow[];
  subject: string;
  text: string | null;
  html: string | null;
  attachments: Attachment[];
}

interface ClosureColumns extends EnvironmentColumns {
  last_closed_at: Date | null;
  reopened_at: Date | null;
}

/** Reads a queued message. @returns undefined when the message, its content or its environment is gone */
export async function loadMessage(
  { database, vault }: Services,
  messageId: string,
): Promise<LoadedMessage | undefined> {
  const message = await database.findOne(messages, { id: messageId });
  if (!message) return undefined;
  const [row] = await database.rows<ClosureColumns>(
    `SELECT ${environmentColumns}, e.last_closed_at, e.reopened_at FROM svc_environment e WHERE e.id = ?`,
    [idBytes(message.environmentId)],
  );
  const content = await database.findOne(contents, { messageId });
  if (!row || !content) return undefined;
  const people = await database.find(recipients, { messageId });
  const { subject, text, html } = content.sealed
    ? openContent(vault, messageId, content.sealed)
    : { subject: message.subject ?? '', text: content.textBody, html: content.htmlBody };
  return {
    message,
    environment: environmentFrom(row),
    closure: row.last_closed_at && row.reopened_at ? { from: row.last_closed_at, to: row.reopened_at } : undefined,
    recipients: people.sort((a, b) => a.position - b.position),
    subject,
    text,
    html,
    attachments: message.isSystem ? [] : await loadAttachments({ database }, messageId),
  };
}

async function loadAttachments({ database }: Pick<Services, 'database'>, messageId: string): Promise<Attachment[]> {
  const files = (await database.find(attachments, { messageId })).sort((a, b) => a.position - b.position);
  if (files.length === 0) return [];
  const loaded: Attachment[] = [];
  for (const { position, filename, contentType, contentId } of files) {
    const parts = (await database.find(attachmentParts, { messageId, position })).sort((a, b) => a.part - b.part);
    loaded.push({ filename, contentType, contentId, content: Buffer.concat(parts.map(({ data }) => data)) });
  }
  return loaded;
}
