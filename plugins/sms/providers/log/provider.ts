import { randomInt } from 'node:crypto';
import { parsePhone } from '#core/kernel/schema/phone.js';
import { newId } from '#core/runtime/id.js';
import { noProvider } from '../callback-values.js';
import { refsToRefile, takeStep, type FilingStep } from '../filing-steps.js';
import type { ProviderServices, SmsProvider, WantedNumber } from '../provider.js';

/** The provider of deployments without SVC_SMS_URL: nothing leaves, numbers and registrations are had at once and cost nothing. */
export function logProvider(_services: ProviderServices): SmsProvider {
  return {
    name: 'log',
    label: 'the log driver',
    isReal: false,
    send: async () => ({ outcome: 'sent', providerId: newId(), code: null, response: 'Kept; nothing left.' }),
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
    advanceFiling: (filing) => takeStep(filingSteps, filing),
    joinFiling: async () => ({ ok: true, value: null }),
    refsToRefile,
  };
}

/** The stages that a registration with carriers has, without anybody to decide. */
const filingSteps: readonly FilingStep[] = [
  { name: 'brand', stage: 'submitted', run: async () => ({ kind: 'made', refs: {} }) },
  { name: 'campaign', stage: 'registering', run: async () => ({ kind: 'made', refs: {} }) },
];

/** Numbers of the US that nobody is reached at: +1 500 555 …, or 555 in the wanted area. */
function inventNumbers({ country, areaCode = '500', number }: WantedNumber): ReturnType<typeof numberOf>[] {
  if (country !== 'US') return [];
  if (number !== undefined) return [numberOf(number)];
  const lines = Array.from({ length: 20 }, () => String(randomInt(10_000)).padStart(4, '0'));
  return lines
    .map((line) => `+1${areaCode}555${line}`)
    .filter((each) => parsePhone(each).ok)
    .map(numberOf);
}

const numberOf = (number: string) => ({ number, capabilities: ['sms', 'mms'] as const, providerId: null });
