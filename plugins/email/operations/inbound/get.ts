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
  summary: 'Returns a received message, parsed, with its SPF, DKIM and DMARC results and its list of attachments.',
  description: 'The HTML is sanitised.',
  keywords: 'incoming inbox reply answer mail read parse',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({ inboundId: uuid('The received message to show.') }),
  output: object({
    inbound: Inbound,
    text: nullable(text('The first 1 MiB of the plain text; null if it has none.')),
    html: nullable(
      text(
        'The sanitised HTML, without scripts, forms, frames and style blocks. It loads only images from elsewhere; `cid:<attachmentId>` refers to an attachment of the message. Null if it has none.',
      ),
    ),
    headers: map(
      text(),
      'Decoded headers by lower-case name; the values of a repeated header are joined with line breaks.',
    ),
    attachments: list(
      object({
        attachmentId: uuid('Its id, for email.inbound.attachment.get.'),
        filename: text('The file name stated by the sender.'),
        contentType: text('The MIME type stated by the sender. It may be wrong.'),
        bytes: integer('The size.'),
      }),
      'Without their content. Messages inside the message are attachments too.',
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
