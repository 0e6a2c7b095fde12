import { defineOperation } from '#core/kernel/operation.js';
import { dateTime, nullable, object, text } from '#core/kernel/schema/schema.js';
import { accessToken, exampleAccessToken } from '../../access-token.js';
import { findByUserCode, start, userCode, describeLimit } from '../../devices.js';

export default defineOperation({
  name: 'auth.device.describe',
  summary: 'Returns what the device with this user code is asking for, to show to the person before they approve it.',
  keywords: 'device authorization grant user code confirm',
  access: 'user',
  impact: { read: true, retrySafe: true },
  limits: [describeLimit],
  input: object({ accessToken, userCode }),
  output: object({
    clientName: text('What asks.'),
    scope: nullable(text('What the device requests.')),
    requestedFrom: object(
      {
        ip: text('The IP address of the device.'),
        location: nullable(text('The location of the IP address, if the deployment’s GeoIP file contains it.')),
        userAgent: nullable(text('The device’s User-Agent header.')),
      },
      { description: 'Where the device made its request. A person who does not recognise it should deny.' },
    ),
    expiresAt: dateTime('When the code expires.'),
  }),
  errors: ['challenge_expired'],
  example: {
    input: { accessToken: exampleAccessToken, userCode: 'BCDF-GHJK' },
    output: {
      clientName: 'svc command line',
      scope: null,
      requestedFrom: { ip: '203.0.113.7', location: 'Berlin, Germany', userAgent: null },
      expiresAt: '2026-11-20T09:40:00.000Z',
    },
  },

  async handle({ userCode: typed }, { db, caller, clock, fail }) {
    const device = await findByUserCode(db, caller.environment, typed, clock.now());
    if (device?.status !== 'pending') throw fail.challenge_expired({ start });
    const { clientName, scope, ip, location, userAgent, expiresAt } = device;
    return { clientName, scope, requestedFrom: { ip, location, userAgent }, expiresAt: expiresAt.toISOString() };
  },
});
