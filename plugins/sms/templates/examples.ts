/** The template in this product's examples. */
export const exampleTemplate = {
  template: 'order.shipped',
  channel: 'sms' as const,
  description: 'Sent when an order leaves the warehouse.',
  system: false,
  publishedVersion: 3,
  hasDraft: false,
  variables: ['order.number'],
  requiredVariables: [],
  defaultLocale: 'en',
  createdAt: '2026-11-20T09:30:00.000Z',
  updatedAt: '2026-11-20T10:12:00.000Z',
};

export const exampleBody = { body: 'Your order {{ order.number }} is on its way.' };
