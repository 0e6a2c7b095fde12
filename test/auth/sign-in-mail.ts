import { apiAt, type Api, type CallOptions } from '#test/support/api.js';
import { usePlatform, type TestAccount, type TestOptions, type TestPlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { startSmtpReceiver, type ReceivedMail, type SmtpReceiver } from '#test/support/smtp-receiver.js';

export interface SignInTest {
  readonly platform: TestPlatform;
  readonly smtp: SmtpReceiver;
  /** Calls with the publishable key of an environment of the account. */
  app(account: TestAccount, side?: 'live' | 'test'): Api;
  /** The mails to an address, once there are this many. */
  mailsTo(email: string, count?: number): Promise<ReceivedMail[]>;
  /** The code in the latest of them. */
  codeTo(email: string, count?: number): Promise<string>;
  /** The link's token in the latest of them. */
  linkTo(email: string, count?: number): Promise<string>;
}

/** Calls from this IP address. */
export const from = (ip: string): CallOptions => ({ headers: { 'X-Forwarded-For': ip } });

/**
 * A running svc whose sign-in mails arrive at a receiver of this file. It believes the X-Forwarded-For of its clients.
 */
export function useSignInMail(options: TestOptions = {}): SignInTest {
  const parts: { smtp?: SmtpReceiver } = {};
  const smtp = (): SmtpReceiver => {
    if (!parts.smtp) throw new Error('The receiver does not run yet: use it inside it() or a hook.');
    return parts.smtp;
  };
  needProducts('auth', 'email');
  const platform = usePlatform({
    ...options,
    async settings() {
      parts.smtp = await startSmtpReceiver();
      return { SVC_SMTP_URL: parts.smtp.url, SVC_TRUST_PROXY: '127.0.0.1', ...(await options.settings?.()) };
    },
  });
  after(() => parts.smtp?.close());

  const mailsTo: SignInTest['mailsTo'] = async (email, count = 1) => {
    const theirs = (received: ReceivedMail[]): ReceivedMail[] =>
      received.filter(({ recipients }) => recipients.includes(email));
    return theirs(await smtp().waitFor((received) => theirs(received).length >= count));
  };
  const inLatest = async (email: string, count: number | undefined, pattern: RegExp): Promise<string> => {
    const text = (await mailsTo(email, count)).at(-1)?.parsed.text ?? '';
    const found = pattern.exec(text)?.[1];
    if (found === undefined) throw new Error(`The mail to ${email} does not have ${pattern.source}: ${text}`);
    return found;
  };
  return {
    platform,
    get smtp() {
      return smtp();
    },
    app: ({ keys }, side = 'live') =>
      apiAt(
        () => platform.running.address,
        () => keys[side].publishable,
        () => platform.running.registry,
      ),
    mailsTo,
    codeTo: (email, count) => inLatest(email, count, /\b(\d{6})\b/),
    linkTo: (email, count) => inLatest(email, count, /\/link\?token=([0-9a-f-]{36}\.[A-Za-z0-9]{43})\s/),
  };
}
