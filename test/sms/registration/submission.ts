import type { InputOf } from '#test/support/api.js';

/** A complete submission; `given` overrides its fields. */
export const submission = (
  given: Partial<InputOf<'sms.registration.submit'>> = {},
): InputOf<'sms.registration.submit'> => ({
  legalName: 'Acme GmbH',
  entityType: 'private',
  taxId: '12-3456789',
  country: 'US',
  address: { line1: '1 Main Street', city: 'Springfield', region: 'IL', postalCode: '62701' },
  website: 'https://acme.example.com/',
  contact: { name: 'Ada Lovelace', email: 'ada@acme.example.com', phone: '+12125550123' },
  useCase: 'delivery_notification',
  description: 'Customers who order in our shop are told when their parcel leaves and arrives.',
  sampleMessages: ['Your order A-1024 is on its way: https://acme.example.com/a', 'Your order A-1024 was delivered.'],
  optIn: {
    how: 'A box at the checkout, not ticked beforehand.',
    url: 'https://acme.example.com/checkout',
    keyword: 'START',
  },
  monthlyVolume: 'under_10000',
  ...given,
});
