import { randomInt } from 'node:crypto';
import { parsePhone } from '#core/kernel/schema/phone.js';
import { noProvider } from '../callback-values.js';
import { runNextTask, type SubmissionTask } from '../submission-tasks.js';
import type { OutgoingText, ProviderServices, SmsProvider, TextAnswer, WantedNumber } from '../provider.js';
import { keepText, phoneFiles } from './store.js';

/**
 * The number that the sign-in texts of test environments are sent from, because these environments have no number. An
 * answer to it at /dev/phone goes to the environment that wrote last.
 */
export const logNumber = '+15005550006';

/**
 * The provider of deployments without SVC_SMS_URL: texts are kept for /dev/phone, numbers and registrations are
 * available immediately and cost nothing.
 */
export function logProvider(services: ProviderServices): SmsProvider {
  return {
    name: 'log',
    label: 'the log driver',
    isReal: false,
    send: (text) => keep(services, text),
    // Its answers are never unclear; a text that is kept again is shown twice.
    findTexts: async () => ({ ok: true, value: [] }),
    findsWithinMs: 0,
    parseStatus: () => {
      throw noProvider();
    },
    parseInbound: () => {
      throw noProvider();
    },
    taken: { status: 200 },
    searchNumbers: async (wanted) => ({ ok: true, value: inventNumbers(wanted) }),
    buyNumber: async (number) => ({ ok: true, value: { number, capabilities: ['sms', 'mms'], providerId: number } }),
    findNumber: async () => ({ ok: true, value: null }),
    releaseNumber: async () => ({ ok: true, value: null }),
    registration: {
      advance: (submission) => runNextTask(submissionTasks, submission),
      addNumber: async () => ({ ok: true, value: null }),
    },
  };
}

async function keep(
  { deployment, clock }: ProviderServices,
  { messageId, from, to, body }: OutgoingText,
): Promise<TextAnswer> {
  try {
    await keepText(phoneFiles(deployment), {
      direction: 'out',
      phone: to,
      number: from,
      body,
      messageId,
      at: clock.now(),
    });
    return { outcome: 'sent', providerId: messageId, code: null, response: 'kept for /dev/phone' };
  } catch (error) {
    const problem = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return { outcome: 'temporary', providerId: null, code: null, response: `not kept for /dev/phone: ${problem}` };
  }
}

/** The tasks of a registration that no carrier decides on. */
const submissionTasks: readonly SubmissionTask[] = [
  { name: 'profile', stage: 'submitted', run: async () => ({ kind: 'made', refs: {} }) },
  { name: 'brand', stage: 'submitted', run: async () => ({ kind: 'made', refs: {} }) },
  { name: 'campaign', stage: 'registering', run: async () => ({ kind: 'made', refs: {} }) },
];

/** Numbers of the US that reach nobody: +1 500 555 …, or 555 in the requested area. */
function inventNumbers({ country, areaCode = '500', number }: WantedNumber): ReturnType<typeof numberOf>[] {
  if (country !== 'US') return [];
  if (number !== undefined) return [numberOf(number)];
  // Numbers below +1 500 555 1000 are test numbers, which play an outcome.
  const lines = Array.from({ length: 20 }, () => String(randomInt(1_000, 10_000)));
  return lines
    .map((line) => `+1${areaCode}555${line}`)
    .filter((each) => parsePhone(each).ok)
    .map(numberOf);
}

const numberOf = (number: string) => ({ number, capabilities: ['sms', 'mms'] as const, providerId: null });
