import { dateTime, named, nullable, object, oneOf, text, uuid, type ValueOf } from '#core/kernel/schema/schema.js';
import { keywords } from '../tables/inbound.js';

export const SmsInbound = named(
  'SmsInbound',
  object(
    {
      inboundId: uuid('The text’s id.'),
      numberId: nullable(uuid('The number it was sent to; null if it is the deployment’s number.')),
      from: text('The sender; empty after the sender was erased.'),
      to: text('The number it was sent to.'),
      body: text('The text; empty after the sender was erased.'),
      keyword: nullable(oneOf(keywords, 'stop: opted out; start: opted in again; help: asked who is sending.')),
      contactId: nullable(uuid('The contact with this number.')),
      receivedAt: dateTime('When it arrived.'),
    },
    {
      description: 'A received text message.',
      columns: ['inboundId', 'from', 'to', 'body', 'keyword', 'receivedAt', 'contactId'],
    },
  ),
);

/** The received text in this product's examples. */
export const exampleInbound: ValueOf<typeof SmsInbound> = {
  inboundId: '01890a5d-ac96-774b-bcce-b302099a9400',
  numberId: '01890a5d-ac96-774b-bcce-b302099a9200',
  from: '+491713920000',
  to: '+15005550006',
  body: 'Thank you!',
  keyword: null,
  contactId: null,
  receivedAt: '2026-11-20T09:31:00.000Z',
};
