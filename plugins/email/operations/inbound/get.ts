import { defineOperation } from '#core/kernel/operation.js';
import { integer, list, map, nullable, object, text, uuid } from '#core/kernel/schema/schema.js';
import { exampleInbound, exampleInboundAttachment } from '../../inbound/examples.js';
import { findInbound } from '../../inbound/find.js';
import { presentInbound } from '../../inbound/present.js';
import { Inbound } from '../../inbound/resources.js';
import { inboundAttachments } from '../../tables/inbound-attachment.js';
import { inboundContents } from '../../tables/inbound-content.js';

export default defineOperation({
  name: 'email.inbound.get',
  summary: 'Show one received message: its text, its HTML without what runs, its headers and its attachments.',
  keywords: 'incoming inbox reply answer mail read parse',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({ inboundId: uuid('The received message to show.') }),
  output: object({
    inbound: Inbound,
    text: nullable(text('The plain text, its first 1 MiB; null without one.')),
    html: nullable(
      text(
        'The HTML, sanitised: no scripts, forms, frames or style blocks. Images are the only thing that it loads from elsewhere; `cid:<attachmentId>` names an attachment of the message. Null without one.',
      ),
    ),
    headers: map(text(), 'By lower-case name, decoded; the values of a repeated one are joined by line breaks.'),
    attachments: list(
      object({
        attachmentId: uuid('Its id, for email.inbound.attachment.get.'),
        filename: text('The name that the sender gave it.'),
        contentType: text('The type that the sender gave it. It may be wrong.'),
        bytes: integer('The size.'),
      }),
      'Without their content. Messages inside of the message are attachments too.',
    ),
  }),
  example: {
    input: { inboundId: exampleInbound.inboundId },
    output: {
      inbound: exampleInbound,
      text: 'It arrived broken, see the picture.',
      html: null,
      headers: { from: 'Ada <ada@example.com>', subject: 'Re: Your order A-1024' },
      attachments: [exampleInboundAttachment],
    },
  },

  async handle({ inboundId }, context) {
    const { db } = context;
    const row = await findInbound(context, inboundId);
    const { contentId } = row;
    const [content, files] = await Promise.all([
      contentId === null ? null : db.findOne(inboundContents, { id: contentId }),
      contentId === null ? [] : db.find(inboundAttachments, { contentId }),
    ]);
    return {
      inbound: presentInbound(row),
      text: content?.textBody ?? null,
      html: content?.htmlBody ?? null,
      headers: content?.headers ?? {},
      attachments: files
        .sort((a, b) => a.position - b.position)
        .map(({ id, filename, contentType, bytes }) => ({ attachmentId: id, filename, contentType, bytes })),
    };
  },
});
