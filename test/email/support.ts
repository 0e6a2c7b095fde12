import type { Environment } from '#core/kernel/caller/caller.js';
import { suppressions, type SuppressionReason } from '#plugins/audience/ports.js';
import type { OperationName, InputOf, ReplyOf, Api } from '#test/support/api.js';
import { usePlatform, type TestPlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import {
  startSmtpReceiver,
  type ReceivedMail,
  type ReceiverOptions,
  type SmtpReceiver,
} from '#test/support/smtp-receiver.js';

export interface MailTest {
  readonly platform: TestPlatform;
  /** The mail server that svc delivers to. */
  readonly smtp: SmtpReceiver;
  /** Waits for the mail of a message. */
  mailOf(messageId: string): Promise<ReceivedMail>;
  /** The mails of a message that have arrived so far, repeats included. */
  arrivalsOf(messageId: string): ReceivedMail[];
}

export const headerOf = ({ parsed }: ReceivedMail, name: string): string | undefined =>
  parsed.headers.find(({ key }) => key === name.toLowerCase())?.value;

const isOf =
  (messageId: string) =>
  (mail: ReceivedMail): boolean =>
    headerOf(mail, 'X-Svc-Message-Id') === messageId;

/** A running svc that delivers to an SMTP receiver of this file. Call it inside `describe`. */
export function useMail(
  given: {
    /** Runs where email is not enabled too: cases that send mail say so themselves, with `itNeeding`. */
    optional?: boolean;
    receiver?: ReceiverOptions;
    settings?: Record<string, string> | (() => Promise<Record<string, string>>);
    /** Returns the port to deliver to instead of the receiver's: that of a proxy before it. */
    through?: (port: number) => Promise<number>;
  } = {},
): MailTest {
  const parts: { smtp?: SmtpReceiver } = {};
  const smtp = (): SmtpReceiver => {
    if (!parts.smtp) throw new Error('The receiver does not run yet: use it inside it() or a hook.');
    return parts.smtp;
  };
  if (given.optional !== true) needProducts('email');
  const platform = usePlatform({
    async settings() {
      parts.smtp = await startSmtpReceiver(given.receiver);
      const port = (await given.through?.(parts.smtp.port)) ?? parts.smtp.port;
      const settings = typeof given.settings === 'function' ? await given.settings() : given.settings;
      return { SVC_SMTP_URL: `smtp://127.0.0.1:${port}`, ...settings };
    },
  });
  after(() => parts.smtp?.close());
  return {
    platform,
    get smtp() {
      return smtp();
    },
    async mailOf(messageId) {
      const received = await smtp().waitFor((all) => all.some(isOf(messageId)));
      const mail = received.find(isOf(messageId));
      if (!mail) throw new Error('The mail was removed from the receiver.');
      return mail;
    },
    arrivalsOf: (messageId) => smtp().received.filter(isOf(messageId)),
  };
}

type Input = InputOf<'email.send'>;

/** Suppresses an address, as a bounce, a complaint or a person does it. */
export const suppress = (
  platform: TestPlatform,
  environment: Environment,
  address: string,
  reason: SuppressionReason,
): Promise<void> =>
  platform.running.services.transaction('Test', ({ use }) =>
    use(suppressions).add(environment, { channel: 'email', address, reason, note: null }),
  );

/** A complete message; `given` overrides its fields. */
export const letter = (given: Partial<Input> = {}): Input => ({
  to: 'ada@example.com',
  subject: 'Hello',
  text: 'Hi',
  ...given,
});

/** Sends a message. */
export const send = (svc: Api, given: Partial<Input> = {}): Promise<ReplyOf<'email.send'>> =>
  svc.call('email.send', letter(given));

/** The number of rows per table that an accepted call writes in an environment; a refused one must not change them. */
export async function traces(platform: TestPlatform, environmentId: string): Promise<Record<string, number>> {
  const tables = ['email_message', 'email_recipient', 'email_tag', 'email_queue', 'svc_event', 'svc_activity'];
  const counts = tables.map(async (table) => {
    const column = table === 'email_queue' ? 'partition_id' : 'environment_id';
    return [table, await platform.count(table, `${column} = ${sqlId(environmentId)}`)] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

/** An id as an SQL literal. */
export const sqlId = (id: string): string => `0x${id.replaceAll('-', '')}`;

/** Invalid inputs, each with the field that the error names. */
export type RefusedCases = readonly (readonly [what: string, input: unknown, field: string])[];

/** The errors for some inputs as lines to compare with `expectedFields`. */
export async function refusedFields(svc: Api, name: OperationName, cases: RefusedCases): Promise<string[]> {
  const lines: string[] = [];
  for (const [what, input] of cases) {
    const { status, code, details } = await svc
      .refusal(name, input)
      .catch((error: unknown) => ({ status: 200, code: String(error).slice(0, 120), details: { field: '?' } }));
    lines.push(`${what}: ${status} ${code} ${String(details['field'])}`);
  }
  return lines;
}

/** What `refusedFields` returns when every case is refused as invalid input that names its field. */
export const expectedFields = (cases: RefusedCases): string[] =>
  cases.map(([what, , field]) => `${what}: 400 invalid_input ${field}`);
