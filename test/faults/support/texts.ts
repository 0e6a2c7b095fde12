import { startTwilio, type TestTwilio } from '#test/support/twilio.js';
import type { Stage } from './stage.js';

/** Starts a Twilio for a stage. @returns it, and the settings with which every environment may text numbers of Germany */
export async function startTexts(
  stage: Pick<Stage, 'onClose'>,
): Promise<{ twilio: TestTwilio; settings: Readonly<Record<string, string>> }> {
  const twilio = await startTwilio();
  stage.onClose(() => twilio.close());
  return {
    twilio,
    settings: {
      SVC_SMS_URL: twilio.smsUrl,
      SVC_SMS_ALLOWED_COUNTRIES: 'DE',
      SVC_SMS_REGISTRATION: 'not_required',
      SVC_SMS_FROM: '+12125550100',
    },
  };
}
