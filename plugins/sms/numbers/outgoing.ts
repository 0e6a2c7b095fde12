import { environmentsAmong } from '#core/kernel/environment/owners.js';
import { queuedKind } from '#core/kernel/outgoing/queue-kind.js';
import { registrationQueueRef } from '../registration-data/table.js';
import { numberQueueRef } from '../tables/number.js';

/* What svc would ask the provider of texts for, for operators who restored a backup. */

/** Purchases and releases of numbers. */
export const numberOrders = queuedKind({
  name: 'number-orders',
  one: 'purchase or release of a number',
  several: 'purchases and releases of numbers',
  queue: numberQueueRef,
  operation: 'sms.number.release',
  environmentsOf: environmentsAmong,
  insteadOfCancel:
    'Compare the numbers with those at the provider, then release them here and give back what is too much with sms.number.release.',
});

/** Registrations with the carriers. */
export const registrationSteps = queuedKind({
  name: 'registrations',
  one: 'registration with the carriers',
  several: 'registrations with the carriers',
  queue: registrationQueueRef,
  operation: 'sms.registration.submit',
  environmentsOf: environmentsAmong,
  insteadOfCancel: 'Compare the registrations with those at the provider, then release them here.',
});
