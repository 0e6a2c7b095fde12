import type { Context } from '#core/kernel/context.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import { insertInto, joined, type Statement } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import { enqueueStatement, type Lane } from '#core/runtime/work/queue.js';
import type { MessageRow } from '../tables/message.js';
import { tagText } from '../tables/tag.js';
import { mailboxKey } from '#core/kernel/schema/email-address.js';
import type { Attachment } from './attachments.js';

export const deliveryQueue = { name: 'email.delivery', table: 'email_queue' } as const;

export interface Acceptance {
  message: MessageRow;
  environment: Environment;
  lane: Lane;
  content: { text: string | null; html: string | null; sealed: Buffer | null };
  attachments: readonly Attachment[];
  /** In the order of to, cc, bcc. */
  recipients: readonly { address: string; allowed: boolean }[];
}

const partBytes = 1024 * 1024;

/** Everything a message is, in the round trip of what follows; queued where anybody may get it. */
export async function storeMessage({ db, wake, clock }: Context, accepted: Acceptance): Promise<void> {
  const { message, environment, lane } = accepted;
  const statements = [messageStatement(message), ...partStatements(accepted)];
  if (message.status === 'queued') {
    const dueAt = message.sendAfter ?? message.createdAt;
    statements.push(enqueueStatement(deliveryQueue, [{ id: message.id, partitionId: environment.id, lane, dueAt }]));
    if (dueAt.getTime() <= clock.now().getTime()) wake(deliveryQueue.name);
  }
  const { sql, parameters } = joined(statements);
  await db.defer(sql, parameters);
  for (const [position, { content }] of accepted.attachments.entries()) {
    for (let part = 0; part * partBytes < content.length; part += 1) {
      const data = content.subarray(part * partBytes, (part + 1) * partBytes);
      const insert = insertInto('email_attachment_part', [{ message_id: idBytes(message.id), position, part, data }]);
      await db.run(insert.sql, insert.parameters);
    }
  }
}

const messageStatement = (message: MessageRow): Statement =>
  insertInto('email_message', [
    {
      id: idBytes(message.id),
      environment_id: idBytes(message.environmentId),
      status: Buffer.from(message.status),
      is_system: message.isSystem ? 1 : 0,
      from_address: message.fromAddress,
      from_name: message.fromName,
      reply_to: JSON.stringify(message.replyTo),
      to_addresses: JSON.stringify(message.toAddresses),
      cc_addresses: JSON.stringify(message.ccAddresses),
      bcc_addresses: JSON.stringify(message.bccAddresses),
      subject: message.subject,
      template: message.template === null ? null : Buffer.from(message.template),
      headers: JSON.stringify(message.headers),
      tags: JSON.stringify(message.tags),
      blocked_reason: message.blockedReason === null ? null : Buffer.from(message.blockedReason),
      topic: message.topic === null ? null : Buffer.from(message.topic),
      contact_id: message.contactId === null ? null : idBytes(message.contactId),
      send_after: message.sendAfter,
      ended_at: message.endedAt,
      created_at: message.createdAt,
    },
  ]);

function partStatements({ message, environment, content, attachments, recipients }: Acceptance): Statement[] {
  const id = idBytes(message.id);
  const environmentId = idBytes(environment.id);
  const tags = Object.entries(message.tags);
  return [
    insertInto('email_content', [
      { message_id: id, text_body: content.text, html_body: content.html, sealed: content.sealed },
    ]),
    insertInto(
      'email_recipient',
      recipients.map(({ address, allowed }, position) => ({
        message_id: id,
        position,
        environment_id: environmentId,
        address,
        address_key: Buffer.from(mailboxKey(address)),
        status: Buffer.from(allowed ? 'queued' : 'suppressed'),
        ended_at: allowed ? null : message.createdAt,
      })),
    ),
    ...(attachments.length === 0
      ? []
      : [
          insertInto(
            'email_attachment',
            attachments.map(({ filename, contentType, contentId, content: data }, position) => ({
              message_id: id,
              position,
              filename,
              content_type: contentType,
              content_id: contentId,
              bytes: data.length,
            })),
          ),
        ]),
    ...(tags.length === 0
      ? []
      : [
          insertInto(
            'email_tag',
            tags.map(([name, value]) => ({
              environment_id: environmentId,
              tag: Buffer.from(tagText(name, value)),
              message_id: id,
            })),
          ),
        ]),
  ];
}
