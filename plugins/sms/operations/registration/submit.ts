import { changesBetween, newFields } from '#core/kernel/audit/changes.js';
import { lockEnvironment } from '#core/kernel/environment/environment.js';
import { defineOperation } from '#core/kernel/operation.js';
import { readPhone } from '#core/kernel/schema/phone.js';
import { object } from '#core/kernel/schema/schema.js';
import { shift } from '#core/runtime/clock.js';
import { joined } from '#core/runtime/database/statement.js';
import { newId } from '#core/runtime/id.js';
import { enqueueStatement, leaseWork } from '#core/runtime/work/queue.js';
import { chooseProvider } from '../../providers/choose.js';
import { refsToResubmit } from '../../providers/submission-tasks.js';
import { advance } from '../../registrations/advance.js';
import { presentRegistration } from '../../registrations/present.js';
import { recordStatus } from '../../registrations/record.js';
import { exampleRegistration, registrationFields, SmsRegistration } from '../../registration-data/resources.js';
import { maskTaxId, sealTaxId } from '../../registrations/tax-id.js';
import { registrationQueueRef, registrations, type RegistrationRow } from '../../registration-data/table.js';

/** When a worker submits the registration of a call that died. */
const takenUpAfterMs = 60_000;
/** Longer than the first task can take. */
const leaseSeconds = 45;

const { taxId: _masked, ...exampleFiled } = exampleRegistration.filed;

export default defineOperation({
  name: 'sms.registration.submit',
  summary: 'Submits the registration that carriers require, or resubmits it after action_needed or failed.',
  description:
    'A live environment sends messages from the stage submitted onwards. The rest happens in the background: the provider submits the brand and the campaign to the carriers, which takes days. Resubmitting replaces what was submitted; objects that already exist at the provider are updated, not created again. Carrier fees are passed on at cost.',
  keywords: '10dlc brand campaign a2p carrier compliance register file',
  access: 'secret',
  liveOnly: true,
  impact: { billable: true },
  followUp: { operation: 'sms.registration.get', input: {} },
  input: object(registrationFields),
  output: object({ registration: SmsRegistration }),
  errors: ['registration_pending', 'provider_failed', 'account_closed'],
  events: [
    'sms.registration.submitted',
    'sms.registration.registering',
    'sms.registration.active',
    'sms.registration.action_needed',
    'sms.registration.failed',
    'billing.passthrough.recorded',
  ],
  example: { input: { ...exampleFiled, taxId: '123456789' }, output: { registration: exampleRegistration } },

  async handle({ taxId, ...given }, { db, caller, clock, vault, fail, audit, emit, activityId }) {
    const { environment } = caller;
    if (environment.closedAt) throw fail.account_closed({ reopen: 'account.reopen' });
    // Carriers require E.164.
    const rest = { ...given, contact: { ...given.contact, phone: readPhone('contact.phone', given.contact.phone) } };
    await lockEnvironment(db, environment.id);
    const known = await db.findOne(registrations, { environmentId: environment.id });
    if (known && known.stage !== 'action_needed' && known.stage !== 'failed')
      throw fail.registration_pending({ stage: known.stage });
    const now = clock.now();
    const id = known?.id ?? newId();
    const row: RegistrationRow = {
      id,
      environmentId: environment.id,
      stage: 'submitted',
      problems: [],
      filed: { ...rest, taxId: taxId === undefined ? null : maskTaxId(taxId) },
      sealedTaxId: taxId === undefined ? null : sealTaxId(vault, id, taxId),
      providerRefs: known ? { ...refsToResubmit(known.providerRefs) } : {},
      activityId,
      submittedAt: now,
      updatedAt: now,
    };
    const work = { id, partitionId: environment.id, lane: 'transactional', dueAt: shift(now, takenUpAfterMs) } as const;
    // `finish` runs the first task. If the process dies first, a worker does.
    await db.run(joined([registrations.upsertRows([row], changeable), enqueueStatement(registrationQueueRef, [work])]));
    const registration = presentRegistration(row);
    audit({
      subject: { type: 'registration', id },
      summary: `${known ? 'Resubmitted' : 'Submitted'} the carrier registration of ${rest.legalName}.`,
      changes: known ? changesBetween(known, row, ['stage', 'filed']) : newFields(row, ['stage', 'filed']),
    });
    emit('sms.registration.submitted', { subjectId: id, data: { registration } });
    return { registration };
  },

  async finish({ registration }, { services, refuse }) {
    const { database, wake } = services;
    const row = await database.findOne(registrations, { id: registration.id });
    const lease = await leaseWork(database, registrationQueueRef, registration.id, leaseSeconds);
    if (!row || !lease) return { registration };
    const provider = chooseProvider(services);
    const answer = await advance(services, provider, row);
    if (answer.ok) {
      const after = await recordStatus(services, lease, answer.value);
      wake(registrationQueueRef.name);
      return { registration: after ? presentRegistration(after) : registration };
    }
    const { problem } = answer;
    const nextStep = 'Nothing was submitted. Call sms.registration.submit again in a minute.';
    const problems = [{ code: 'provider_failed', message: `${provider.label} failed: ${problem}.`, fix: nextStep }];
    await recordStatus(services, lease, { stage: 'failed', problems, refs: row.providerRefs, next: 'never' });
    return refuse.provider_failed({ provider: provider.label, problem, nextStep });
  },
});

const changeable = [
  'stage',
  'problems',
  'filed',
  'sealedTaxId',
  'providerRefs',
  'activityId',
  'submittedAt',
  'updatedAt',
] as const;
