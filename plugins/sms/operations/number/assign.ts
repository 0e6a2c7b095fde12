import { newFields } from '#core/kernel/audit/changes.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { lockEnvironment } from '#core/kernel/environment/environment.js';
import { defineOperation } from '#core/kernel/operation.js';
import { readPhone } from '#core/kernel/schema/phone.js';
import { countryPattern } from '#core/kernel/schema/patterns.js';
import { list, object, oneOf, optional, phone, text, withDefault } from '#core/kernel/schema/schema.js';
import { shift } from '#core/runtime/clock.js';
import { crashPoint } from '#core/runtime/fault.js';
import { newId } from '#core/runtime/id.js';
import { enqueueStatement, leaseWork } from '#core/runtime/work/queue.js';
import { metering } from '#plugins/billing/ports.js';
import { deploymentSettings } from '../../deployment/settings.js';
import {
  countNumbers,
  findUnsettled,
  freeNumbers,
  insertFirst,
  mostNumbers,
  poolNumbers,
  type Candidate,
} from '../../numbers/choose-number.js';
import { shownNumber } from '../../numbers/present.js';
import { purchaseLeaseSeconds, settledNumber, takenUpAfterMs } from '../../numbers/purchase-lease.js';
import { monthOf, rentOf } from '../../numbers/rent.js';
import { exampleNumber, PhoneNumber } from '../../numbers/resources.js';
import { joinRegistration } from '../../numbers/join-registration.js';
import { buy, recordAssigned, recordSettlement } from '../../numbers/settle.js';
import { noneOf, problemOf } from '../../numbers/wanted.js';
import { chooseProvider } from '../../providers/choose.js';
import type { WantedNumber } from '../../providers/provider.js';
import { capabilities, numberQueueRef, numbers, type NumberRow } from '../../tables/number.js';

const again = 'Call sms.number.assign again with another number, area code or country.';
const usAlone = 'Without SVC_SMS_URL there are only US numbers: call sms.number.assign with the country US.';

export default defineOperation({
  name: 'sms.number.assign',
  summary: 'Assigns a phone number from the provider or from the deployment’s pool.',
  description: `An environment has at most ${mostNumbers} numbers. Its first number becomes the default, which messages are sent from. Rent is metered immediately and then each month (UTC) until the number is released. After provider_failed, calling again first finds out whether the number was bought.`,
  keywords: 'phone buy rent sender 10dlc long code',
  access: 'secret',
  liveOnly: true,
  impact: { billable: true },
  input: object({
    country: text('Country, ISO 3166-1 alpha-2.', { pattern: countryPattern }),
    areaCode: optional(text('Area code, without the country prefix: 212.', { pattern: '^[0-9]{1,6}$' })),
    number: optional(phone('A specific number, E.164.')),
    capabilities: withDefault(
      list(oneOf(capabilities), 'What the number must support.', { minItems: 1, maxItems: 2 }),
      ['sms'],
    ),
  }),
  output: object({ number: PhoneNumber }),
  errors: ['number_unavailable', 'limit_reached', 'spending_cap_reached', 'provider_failed', 'account_closed'],
  events: ['sms.number.assigned'],
  example: { input: { country: 'US', areaCode: '500' }, output: { number: exampleNumber } },

  /** Outside the transaction: searching at the provider takes a while. */
  async prepare({ number, ...rest }, { caller, http, deployment, clock, fail }) {
    const { environment } = caller;
    if (environment.closedAt) throw fail.account_closed({ reopen: 'account.reopen' });
    const provider = chooseProvider({ http, deployment, clock });
    const wanted = number === undefined ? rest : { ...rest, number: readPhone('number', number) };
    const problem = problemOf(wanted);
    if (problem !== null) throw invalidField('number', problem);
    return { wanted, found: await provider.searchNumbers(wanted), label: provider.label, isReal: provider.isReal };
  },

  async handle(_input, context) {
    const { db, caller, clock, deployment, fail, audit, use, prepared } = context;
    const { environment } = caller;
    const { wanted } = prepared;
    const now = clock.now();
    await lockEnvironment(db, environment.id);
    const unsettled = await findUnsettled(db, environment, wanted, now);
    if (unsettled) {
      audit({
        subject: { type: 'number', id: unsettled.id },
        summary: `Resumed the purchase of ${unsettled.number}.`,
        changes: [],
        unchanged: `the purchase of ${unsettled.number} continued.`,
      });
      return { number: await shownNumber(db, unsettled) };
    }
    if ((await countNumbers(db, environment)) >= mostNumbers)
      throw fail.limit_reached({
        limit: mostNumbers,
        things: 'numbers in this environment',
        nextStep: 'Release one with sms.number.release, then call sms.number.assign again. sms.number.list lists them.',
      });
    const pooled = await freeNumbers(db, poolNumbers(deployment.settingsOf(deploymentSettings), wanted));
    const { found, label, isReal } = prepared;
    if (pooled.length === 0 && !found.ok)
      throw fail.provider_failed({
        provider: label,
        problem: found.problem,
        nextStep: 'Nothing was bought. Call sms.number.assign again in a minute.',
      });
    const bought = found.ok ? await freeNumbers(db, found.value) : [];
    const candidates = [
      ...pooled.map((each) => ({ ...each, origin: 'pool' as const })),
      ...bought.map((each) => ({ ...each, origin: 'provider' as const })),
    ];
    const [first] = candidates;
    const hasCountry = isReal || wanted.country === 'US';
    const none = { problem: noneOf(wanted), nextStep: hasCountry ? again : usAlone };
    if (!first) throw fail.number_unavailable(none);
    const wish = newRow(environment, wanted, first, now, context.activityId);
    const refused = await use(metering).recordWithinCap(environment, [rentOf(wish)]);
    if (refused) return refused;
    const row = await insertFirst(db, wish, candidates);
    if (!row) throw fail.number_unavailable(none);
    audit({
      subject: { type: 'number', id: row.id },
      summary: `Assigned the number ${row.number}${row.origin === 'pool' ? ' from the pool' : ''}.`,
      changes: newFields(row, ['number', 'country', 'capabilities', 'origin']),
    });
    if (row.origin === 'pool')
      return { number: await shownNumber(db, await recordAssigned(context, environment, row, row)) };
    // `finish` buys it. If the process dies first, a worker does.
    const dueAt = shift(now, takenUpAfterMs);
    const work = { id: row.id, partitionId: environment.id, lane: 'transactional', dueAt } as const;
    await db.defer(enqueueStatement(numberQueueRef, [work]));
    return { number: await shownNumber(db, row) };
  },

  async finish({ number: { id } }, { services, refuse }) {
    const { database } = services;
    const provider = chooseProvider(services);
    const row = await database.findOne(numbers, { id });
    if (!row || row.status !== 'assigning') return answerFor(row);
    const lease = await leaseWork(database, numberQueueRef, id, purchaseLeaseSeconds);
    if (!lease) return answerFor(await settledNumber(database, id));
    const isFirst = row.refusedAt === null && services.clock.now() < shift(row.createdAt, takenUpAfterMs);
    const settlement = await buy(provider, row, isFirst ? 'first call' : 'repeat');
    const after = await recordSettlement(services, lease, settlement);
    crashPoint('sms.number.recorded');
    if (after?.status === 'assigned') await joinRegistration(services, provider, after);
    if (settlement.kind === 'refused')
      return refuse.provider_failed({ provider: provider.label, problem: settlement.problem, nextStep: again });
    return answerFor(after ?? (await settledNumber(database, id)));

    async function answerFor(settled: NumberRow | null) {
      if (settled?.status === 'assigned') return { number: await shownNumber(database, settled) };
      if (settled?.status === 'assigning')
        return refuse.provider_failed({
          provider: provider.label,
          problem: `it is not known whether ${settled.number} was bought`,
          nextStep:
            'Call sms.number.assign again with the same input: it looks up the number before it buys another one.',
        });
      return refuse.number_unavailable({
        problem: `${settled?.number ?? 'it'} is no longer available`,
        nextStep: again,
      });
    }
  },
});

const newRow = (
  environment: Environment,
  { country }: WantedNumber,
  { number, capabilities: able, origin }: Candidate,
  now: Date,
  activityId: string,
): NumberRow => ({
  id: newId(),
  environmentId: environment.id,
  number,
  heldNumber: number,
  country,
  capabilities: [...able],
  origin,
  providerId: null,
  status: 'assigning',
  rentMeteredUntil: monthOf(now),
  activityId,
  createdAt: now,
  assignedAt: null,
  releasedAt: null,
  refusedAt: null,
  joinProblem: null,
});
