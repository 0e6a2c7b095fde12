import { dateTime, named, nullable, object, oneOf, text, uuid, type ValueOf } from '#core/kernel/schema/schema.js';
import { keywords } from '../tables/inbound.js';

export const SmsInbound = named(
  'SmsInbound',
  object(
    {
      inboundId: uuid('The text’s id.'),
      numberId: nullable(uuid('The number that it came to; null for a number of the deployment.')),
      from: text('The sender; empty once the sender was erased.'),
      to: text('The number that it came to.'),
      body: text('What it says; empty once the sender was erased.'),
      keyword: nullable(oneOf(keywords, 'stop: ended texts; start: allowed them; help: asked who is writing.')),
      contactId: nullable(uuid('The contact with this number.')),
      receivedAt: dateTime('When it arrived.'),
    },
    {
      description: 'A received text.',
      columns: ['inboundId', 'from', 'to', 'body', 'keyword', 'receivedAt', 'contactId'],
    },
  ),
);

/** The received text in this product's examples. */
export const exampleInbound: ValueOf<typeof SmsInbound> = {
  inboundId: '01890a5d-ac96-774b-bcce-b302099a9400',
  numberId: '01890a5d-ac96-774b-bcce-b302099a9200',
  from: '+4915123456789',
  to: '+15005550006',
  body: 'Thank you!',
  keyword: null,
  contactId: null,
  receivedAt: '2026-11-20T09:31:00.000Z',
};
