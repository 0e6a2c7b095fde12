import { perIp } from '#core/kernel/limits/named-limit.js';

const window = { max: 20, windowSeconds: 600 };

/** auth.device.approve and auth.device.deny share one count, because both reveal whether a user code exists. */
export const decisionLimit = perIp({
  name: 'auth.device.decide',
  ...window,
  description: '20 per IP address in 10 minutes, shared by approve and deny',
});

export const startLimit = perIp({
  name: 'auth.device.start',
  ...window,
  description: '20 per IP address in 10 minutes',
});

export const describeLimit = perIp({
  name: 'auth.device.describe',
  max: 30,
  windowSeconds: 600,
  description: '30 per IP address in 10 minutes',
});
