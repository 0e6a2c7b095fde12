import { useSignInMail, type SignInTest } from '#test/auth/sign-in-mail.js';
import type { TestAccount } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { startTwilio, type TestTwilio } from '#test/support/twilio.js';

interface SignInTextTest extends SignInTest {
  readonly twilio: TestTwilio;
  /** Opens an account whose users may sign in by text. */
  account(): Promise<TestAccount>;
  /** What the texts to a number say, once there are this many. */
  textsTo(phone: string, count?: number): Promise<string[]>;
  /** The code in the latest of them. */
  textedCode(phone: string, count?: number): Promise<string>;
}

/** A running svc that texts over a Twilio of this file, from the deployment's own number. */
export function useSignInText(settings: Readonly<Record<string, string>> = {}): SignInTextTest {
  const parts: { twilio?: TestTwilio } = {};
  const twilio = (): TestTwilio => {
    if (!parts.twilio) throw new Error('Twilio does not run yet: use it inside it() or a hook.');
    return parts.twilio;
  };
  needProducts('sms');
  const test = useSignInMail({
    async settings() {
      parts.twilio = await startTwilio();
      return {
        SVC_SMS_URL: parts.twilio.smsUrl,
        SVC_SMS_ALLOWED_COUNTRIES: 'US,DE',
        SVC_SMS_REGISTRATION: 'not_required',
        SVC_SMS_FROM: '+15005550006',
        ...settings,
      };
    },
  });
  after(() => parts.twilio?.close());
  const textsTo: SignInTextTest['textsTo'] = async (phone, count = 1) => {
    const theirs = (texts: TestTwilio['texts']): string[] =>
      texts.filter(({ to }) => to === phone).map(({ body }) => body);
    return theirs(await twilio().waitForTexts((texts) => theirs(texts).length >= count));
  };
  return {
    platform: test.platform,
    async account() {
      const account = await test.platform.account();
      await account.svc.call('auth.settings.set', { methods: { sms: { enabled: true } } });
      return account;
    },
    app: test.app,
    mailsTo: test.mailsTo,
    codeTo: test.codeTo,
    linkTo: test.linkTo,
    get smtp() {
      return test.smtp;
    },
    get twilio() {
      return twilio();
    },
    textsTo,
    async textedCode(phone, count) {
      const text = (await textsTo(phone, count)).at(-1) ?? '';
      const code = /\b\d{6}\b/.exec(text)?.[0];
      if (code === undefined) throw new Error(`The text to ${phone} has no code: ${text}`);
      return code;
    },
  };
}
