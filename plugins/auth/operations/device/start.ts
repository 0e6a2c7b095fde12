import { defineOperation } from '#core/kernel/operation.js';
import { dateTime, filledText, integer, object, optional, text, url } from '#core/kernel/schema/schema.js';
import { shift } from '#core/runtime/clock.js';
import { isDuplicate } from '#core/runtime/database/errors.js';
import { newId } from '#core/runtime/id.js';
import { randomToken, sha256 } from '#core/runtime/secrets/digest.js';
import { minutes } from '../../tables/lifetimes.js';
import { newUserCode, shownUserCode, pollSeconds, startLimit } from '../../devices.js';
import { locationOf } from '../../sessions/device.js';
import { hostedPages } from '../../settings/redirects.js';
import { devices } from '../../tables/device.js';

const maxTries = 5;

export default defineOperation({
  name: 'auth.device.start',
  summary: 'Starts sign-in on a device or command line and returns a code for it to show.',
  description:
    'The person opens the URL in any browser, signs in there and approves. In the meantime, the device calls auth.device.poll (RFC 8628).',
  keywords: 'device authorization grant TV CLI terminal login user code',
  access: 'publishable',
  limits: [startLimit],
  showsSecret: 'stored encrypted',
  input: object({
    clientName: filledText('The name of the device, which the person sees before approving it.', 120),
    scope: optional(text('What the device requests, shown to the person.', { maxLength: 500 })),
  }),
  output: object({
    deviceCode: text('The code for auth.device.poll. Keep it secret.'),
    userCode: text('The code to show to the person.'),
    verificationUrl: url('The URL to open and enter the code at.'),
    verificationUrlComplete: url('The same URL with the code filled in, for a link or a QR code.'),
    intervalSeconds: integer('How long to wait between polls.'),
    expiresAt: dateTime('When the codes expire.'),
  }),
  events: ['auth.device.started'],
  example: {
    input: { clientName: 'svc command line' },
    output: {
      deviceCode: 'svc_dc_example',
      userCode: 'BCDF-GHJK',
      verificationUrl: 'https://svc.example.com/auth/01890a5d-ac96-774b-bcce-b302099a8000/device',
      verificationUrlComplete:
        'https://svc.example.com/auth/01890a5d-ac96-774b-bcce-b302099a8000/device?user_code=BCDF-GHJK',
      intervalSeconds: 5,
      expiresAt: '2026-11-20T09:40:00.000Z',
    },
  },

  async handle({ clientName, scope }, context) {
    const { db, caller, clock, deployment, emit, audit } = context;
    const { environment, request } = caller;
    const now = clock.now();
    const expiresAt = shift(now, minutes.device * 60_000);
    const deviceCode = `svc_dc_${randomToken(43)}`;
    const row = {
      id: newId(),
      environmentId: environment.id,
      deviceDigest: sha256(deviceCode),
      clientName,
      scope: scope ?? null,
      status: 'pending' as const,
      userId: null,
      approvingSessionId: null,
      ip: request.ip,
      location: locationOf(deployment, request.ip),
      userAgent: request.userAgent?.slice(0, 400) ?? null,
      lastPolledAt: null,
      createdAt: now,
      expiresAt,
    };
    let userCode = newUserCode();
    for (let tries = 1; ; tries += 1) {
      try {
        await db.insert(devices, { ...row, userCode });
        break;
      } catch (error) {
        // Another device shows this code. The chance is one in 25,600,000,000 for each waiting device.
        if (tries === maxTries || !isDuplicate(error, 'user_code')) throw error;
        userCode = newUserCode();
      }
    }
    audit({
      subject: { type: 'device', id: row.id },
      summary: `The device “${clientName}” requested to be signed in.`,
      changes: [{ field: 'clientName', from: null, to: clientName }],
    });
    emit('auth.device.started', { subjectId: row.id, data: { clientName, userId: null } });
    const shown = shownUserCode(userCode);
    const verificationUrl = `${hostedPages(deployment, environment.id)}device`;
    return {
      deviceCode,
      userCode: shown,
      verificationUrl,
      verificationUrlComplete: `${verificationUrl}?user_code=${shown}`,
      intervalSeconds: pollSeconds,
      expiresAt: expiresAt.toISOString(),
    };
  },
});
