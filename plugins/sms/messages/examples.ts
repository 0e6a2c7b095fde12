import type { ValueOf } from '#core/kernel/schema/schema.js';
import { exampleOrigin } from '#core/messaging/resource.js';
import type { SmsMessage } from './resources.js';

/** The message in this product's examples. */
export const exampleMessage: ValueOf<typeof SmsMessage> = {
  messageId: '01890a5d-ac96-774b-bcce-b302099a9100',
  status: 'sent',
  blocked: null,
  system: false,
  to: '+491713920000',
  from: '+15005550006',
  body: 'Your order A-1024 is on its way.',
  segments: 1,
  encoding: 'GSM-7',
  ...exampleOrigin,
  price: { currency: 'USD', amount: '0.079' },
  sendAfter: null,
  sentAt: '2026-11-20T09:30:01.000Z',
  deliveredAt: '2026-11-20T09:30:04.000Z',
  error: null,
  createdAt: '2026-11-20T09:30:00.000Z',
  contentRemovedAt: null,
};
