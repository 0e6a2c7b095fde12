/** The received message in this product's examples. */
export const exampleInbound = {
  inboundId: '01890a5d-ac96-774b-bcce-b302099a8400',
  envelopeFrom: 'ada@example.com',
  envelopeTo: 'help@shop.mail.example.com',
  from: 'ada@example.com',
  to: ['help@shop.mail.example.com'],
  subject: 'Re: Your order A-1024',
  messageId: 'CAF=x1@mail.example.com',
  inReplyTo: '01890a5d-ac96-774b-bcce-b302099a8300',
  automatic: false,
  spam: { spf: 'pass' as const, dkim: 'pass' as const, dmarc: 'pass' as const },
  bytes: 20_480,
  attachmentCount: 1,
  receivedAt: '2026-11-20T10:00:00.000Z',
};

export const exampleInboundAttachment = {
  attachmentId: '01890a5d-ac96-774b-bcce-b302099a8401',
  filename: 'broken.jpg',
  contentType: 'image/jpeg',
  bytes: 14_000,
};
