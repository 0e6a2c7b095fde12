/** The template in this product's examples. */
export const exampleTemplate = {
  template: 'order.shipped',
  channel: 'email' as const,
  description: 'Sent when an order leaves the warehouse.',
  system: false,
  publishedVersion: 3,
  hasDraft: false,
  variables: ['firstName', 'order.number'],
  requiredVariables: [],
  defaultLocale: 'en',
  createdAt: '2026-11-20T09:30:00.000Z',
  updatedAt: '2026-11-20T10:12:00.000Z',
};

/** As a caller sends it. */
export const exampleGiven = {
  subject: 'Your order {{ order.number }} is on its way',
  html: '<h1>Good news, {{ firstName }}</h1><p>Your order {{ order.number }} is on its way.</p>',
  preheader: 'It should arrive within three days.',
};

const { subject, html, preheader } = exampleGiven;
export const exampleSource = { subject, html, text: null, preheader };
