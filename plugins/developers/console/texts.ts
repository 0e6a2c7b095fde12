/* The texts of the developer screens that are longer than a label. */

export const texts = {
  webhooksSub: 'Your endpoints that svc notifies of events, with the health of each.',
  webhooksEmptyTitle: 'No webhooks yet.',
  webhooksEmpty:
    'A webhook is one of your URLs. svc posts each event to it, signed, and tries again for a day and a half if it does not answer.',
  disable:
    'Deliveries stop, and events that happen meanwhile wait. Its history stays. Enabling it delivers what waits.',
  rotateSecret:
    'The old secret stops verifying immediately, and waiting deliveries are signed with the new one, unless you let both sign for some hours. Then each delivery has two signatures, and your endpoint must accept either. If the secret has leaked, leave it at 0.',
  standardSecret: 'For libraries of Standard Webhooks, the same secret as:',
  smtp: 'For apps that send email by SMTP:',
  secretOnce: 'This is shown once. Copy it to where it is needed now; svc keeps only what it needs to check it.',
  replayAll: 'Every failed delivery is sent again, oldest first, with the original event.',
  deliveriesSub: 'Each attempt to tell an endpoint about an event.',
  deliveriesEmptyTitle: 'No deliveries yet.',
  deliveriesEmpty: 'A delivery appears as soon as an event happens that a webhook asks for.',
  noResponse: 'The endpoint did not respond.',
  notTried: 'It has not been tried yet.',
  emptyBody: 'The body is empty.',
  cut: 'svc keeps the first 4 KiB of a response.',
  replayRefused: 'Only a delivery that failed, or that waits for its next attempt, can be tried again.',
  retryAll: 'Deliveries that wait for their next attempt are tried now, in addition to those that were given up.',
  eventsSub: 'Everything that happened in this environment, with what webhooks were told.',
  eventsEmptyTitle: 'No events yet.',
  eventsEmpty: 'An event appears for everything that happens: a message is sent, a contact changes, somebody signs in.',
  noDeliveries: 'No webhook asked for it.',
  keysSub: 'The keys that your programs use to call svc. A key works in this environment only.',
  keysEmptyTitle: 'No keys.',
  keysEmpty: 'A program needs a key to call svc. Give it only the permissions that it uses.',
  create: 'The key is shown once, after it is created.',
  rotate:
    'A new key with the same name and permissions is created, and the old one stops working immediately: programs that use it fail until they have the new one.',
  revoke: 'Programs that use it are refused from now on. This cannot be undone.',
} as const;
