import { usePlatform, type TestPlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { startTwilio, type TestTwilio } from '#test/support/twilio.js';

export interface TwilioTest {
  readonly platform: TestPlatform;
  readonly twilio: TestTwilio;
}

/** A running svc whose provider is a Twilio of this file. Call it inside `describe`. */
export function useTwilio(
  settings: Readonly<Record<string, string>> | (() => Promise<Readonly<Record<string, string>>>) = {},
): TwilioTest {
  const parts: { twilio?: TestTwilio } = {};
  needProducts('sms');
  const platform = usePlatform({
    async settings() {
      parts.twilio = await startTwilio({ now: () => platform.clock.now() });
      const given = typeof settings === 'function' ? await settings() : settings;
      return { SVC_SMS_URL: parts.twilio.smsUrl, SVC_SMS_ALLOWED_COUNTRIES: 'US,DE', ...given };
    },
  });
  after(() => parts.twilio?.close());
  return {
    platform,
    get twilio() {
      if (!parts.twilio) throw new Error('Twilio does not run yet: use it inside it() or a hook.');
      return parts.twilio;
    },
  };
}
