import { refusalOf } from '#core/kernel/errors/common.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, text, uuid } from '#core/kernel/schema/schema.js';
import { idBytes } from '#core/runtime/id.js';
import { exampleInbound, exampleInboundAttachment } from '../../../inbound/examples.js';
import { findInbound } from '../../../inbound/find.js';
import { inboundAttachments } from '../../../tables/inbound-attachment.js';

export default defineOperation({
  name: 'email.inbound.attachment.get',
  summary: 'Returns one attachment of a received message.',
  keywords: 'incoming file picture document download',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({
    inboundId: uuid('The received message.'),
    attachmentId: uuid('The attachment, from email.inbound.get.'),
  }),
  output: object({
    filename: text('The file name stated by the sender.'),
    contentType: text('The MIME type stated by the sender. It may be wrong.'),
    content: text('The bytes in base64.'),
  }),
  example: {
    input: { inboundId: exampleInbound.inboundId, attachmentId: exampleInboundAttachment.attachmentId },
    output: { filename: 'broken.jpg', contentType: 'image/jpeg', content: '/9j/4AAQSkZJRg==' },
  },

  async handle({ inboundId, attachmentId }, context) {
    const { db } = context;
    const { contentId } = await findInbound(context, inboundId);
    const file = contentId === null ? null : await db.findOne(inboundAttachments, { id: attachmentId, contentId });
    if (!file) throw refusalOf.not_found({ thing: 'attachment', lookup: 'email.inbound.get' });
    const parts = await db.rows<{ data: Buffer }>(
      'SELECT data FROM email_inbound_part WHERE content_id = ? AND position = ? ORDER BY part',
      [idBytes(file.contentId), file.position],
    );
    return {
      filename: file.filename,
      contentType: file.contentType,
      content: Buffer.concat(parts.map(({ data }) => data)).toString('base64'),
    };
  },
});
