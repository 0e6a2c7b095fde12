import { defineOperation } from '#core/kernel/operation.js';
import { boolean, object } from '#core/kernel/schema/schema.js';
import { accessToken, exampleAccessToken } from '../../access-token.js';
import { recordDecision, userCode, decisionLimit } from '../../devices.js';

export default defineOperation({
  name: 'auth.device.approve',
  summary: 'Approves the device for the signed-in user.',
  description:
    'Call auth.device.describe first and show the person which device is asking. The device gets a session of its own, so the person must have signed in within the last 10 minutes and, if a second factor is active, passed it.',
  keywords: 'device authorization grant user code allow confirm CLI',
  access: 'user',
  // The device gets its own session: an access token that someone copied must not become one.
  needs: { recentSignIn: true, secondFactorIfActive: true, notImpersonated: true },
  limits: [decisionLimit],
  input: object({ accessToken, userCode }),
  output: object({ approved: boolean('Always true.') }),
  errors: ['challenge_expired', 'challenge_used'],
  events: ['auth.device.approved'],
  example: { input: { accessToken: exampleAccessToken, userCode: 'BCDF-GHJK' }, output: { approved: true } },

  async handle({ userCode: typed }, context) {
    const { environment, user } = context.caller;
    const device = await recordDecision(context, environment, user, { userCode: typed, status: 'approved' });
    context.emit('auth.device.approved', {
      subjectId: device.id,
      personId: user.userId,
      data: { clientName: device.clientName, userId: user.userId },
    });
    return { approved: true };
  },
});
