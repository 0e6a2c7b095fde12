import { defineOperation } from '#core/kernel/operation.js';
import { boolean, object } from '#core/kernel/schema/schema.js';
import { accessToken, exampleAccessToken } from '../../access-token.js';
import { recordDecision, userCode, decisionLimit } from '../../devices.js';

export default defineOperation({
  name: 'auth.device.deny',
  summary: 'Denies the device.',
  description: 'The next call of auth.device.poll then returns device_denied.',
  keywords: 'device authorization grant user code reject',
  access: 'user',
  needs: { notImpersonated: true },
  limits: [decisionLimit],
  input: object({ accessToken, userCode }),
  output: object({ denied: boolean('Always true.') }),
  errors: ['challenge_expired', 'challenge_used'],
  events: ['auth.device.denied'],
  example: { input: { accessToken: exampleAccessToken, userCode: 'BCDF-GHJK' }, output: { denied: true } },

  async handle({ userCode: typed }, context) {
    const { environment, user } = context.caller;
    const device = await recordDecision(context, environment, user, { userCode: typed, status: 'denied' });
    context.emit('auth.device.denied', {
      subjectId: device.id,
      personId: user.userId,
      data: { clientName: device.clientName, userId: user.userId },
    });
    return { denied: true };
  },
});
