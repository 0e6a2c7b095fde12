import type { Environment } from '#core/kernel/caller/caller.js';
import { suppressions, type SuppressionReason } from '#plugins/audience/ports.js';
import type { OperationName, InputOf, ReplyOf, Api } from '#test/support/api.js';
import { usePlatform, type TestPlatform } from '#test/support/platform.js';
import {
  startSmtpReceiver,
  type ReceivedMail,
  type ReceiverOptions,
  type SmtpReceiver,
} from '#test/support/smtp-receiver.js';

export interface MailTest {
  readonly platform: TestPlatform;
  /** Where svc delivers to. */
  readonly smtp: SmtpReceiver;
  /** The mail that a message came to. */
  mailOf(messageId: string): Promise<ReceivedMail>;
  /** All that arrived of a message so far. */
  arrivalsOf(messageId: string): ReceivedMail[];
}

export const headerOf = ({ parsed }: ReceivedMail, name: string): string | undefined =>
  parsed.headers.find(({ key }) => key === name.toLowerCase())?.value;

const isOf =
  (messageId: string) =>
  (mail: ReceivedMail): boolean =>
    headerOf(mail, 'X-Svc-Message-Id') === messageId;

/** A running svc that delivers to a receiver of the file's own. Call it inside `describe`. */
export function useMail(
  given: {
    receiver?: ReceiverOptions;
    settings?: Record<string, string>;
    /** The port to deliver to in the receiver's place: that of a proxy before it. */
    through?: (port: number) => Promise<number>;
  } = {},
): MailTest {
  const parts: { smtp?: SmtpReceiver } = {};
  const smtp = (): SmtpReceiver => {
    if (!parts.smtp) throw new Error('The receiver does not run yet: use it inside it() or a hook.');
    return parts.smtp;
  };
  const platform = usePlatform({
    async settings() {
      parts.smtp = await startSmtpReceiver(given.receiver);
      const port = (await given.through?.(parts.smtp.port)) ?? parts.smtp.port;
      return { SVC_SMTP_URL: `smtp://127.0.0.1:${port}`, ...given.settings };
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
      if (!mail) throw new Error('The mail is gone again.');
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

/** Rows of one environment that an accepted call leaves: none of them may be there after a refused one. */
export async function traces(platform: TestPlatform, environmentId: string): Promise<Record<string, number>> {
  const tables = ['email_message', 'email_recipient', 'email_tag', 'email_queue', 'svc_event', 'svc_activity'];
  const counts = tables.map(async (table) => {
    const column = table === 'email_queue' ? 'partition_id' : 'environment_id';
    return [table, await platform.count(table, `${column} = ${sqlId(environmentId)}`)] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

/** An id as a literal of SQL. */
export const sqlId = (id: string): string => `0x${id.replaceAll('-', '')}`;

/** What must be refused, each with the field that the refusal names. */
export type RefusedCases = readonly (readonly [what: string, input: unknown, field: string])[];

/** The refusals of some inputs, as lines to compare: a wrong one shows itself by its name. */
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

/** What `refusedFields` gives when every case is refused as invalid input that names its field. */
export const expectedFields = (cases: RefusedCases): string[] =>
  cases.map(([what, , field]) => `${what}: 400 invalid_input ${field}`);
