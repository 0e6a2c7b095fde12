import { exampleOrigin } from '#core/messaging/resource.js';

/** The message in this product's examples. */
export const exampleMessage = {
  messageId: '01890a5d-ac96-774b-bcce-b302099a8300',
  status: 'sent' as const,
  blocked: null,
  suppressedRecipients: [],
  system: false,
  to: ['ada@example.com'],
  cc: [],
  bcc: [],
  from: 'hello@shop.mail.example.com',
  fromName: 'Shop',
  replyTo: [],
  subject: 'Your order A-1024',
  ...exampleOrigin,
  sendAfter: null,
  sentAt: '2026-11-20T09:30:01.000Z',
  deliveredAt: null,
  bouncedAt: null,
  bounce: null,
  createdAt: '2026-11-20T09:30:00.000Z',
  contentRemovedAt: null,
};

export const exampleSender = {
  from: 'hello@shop.mail.example.com',
  fromName: 'Shop',
  replyTo: 'help@example.com',
  legalAddress: 'Acme GmbH, Hauptstraße 1, 10115 Berlin, Germany',
  updatedAt: '2026-11-20T09:30:00.000Z',
};
