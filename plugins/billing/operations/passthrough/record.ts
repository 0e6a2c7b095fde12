import { newFields } from '#core/kernel/audit/changes.js';
import { environmentsOf } from '#core/kernel/environment/environment.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { defineOperation } from '#core/kernel/operation.js';
import { pastDate } from '#core/kernel/schema/past-date.js';
import { dateTime, object, optional, text, uuid } from '#core/kernel/schema/schema.js';
import { hasControls } from '#core/messaging/input.js';
import { actInAccount } from '../../accounts/account.js';
import { deploymentSettings } from '../../settings/deployment-settings.js';
import { exampleAccountId, examplePassthrough } from '../../examples.js';
import { periodOf } from '../../periods/months.js';
import { amountInput, positiveAmount } from '../../money/input.js';
import { decimalsOf, formatAmount } from '../../money/micros.js';
import { presentPassthrough, addFee } from '../../passthrough/record.js';
import { PassthroughLine, period as periodSchema } from '../../resources.js';

export default defineOperation({
  name: 'billing.passthrough.record',
  summary: 'Adds a carrier or registration fee to an account’s charges for the month, at cost.',
  description:
    'The fee appears on the invoice of the month it was incurred in. A fee can be added until the month is closed, an hour after it ends. Without `incurredAt`, it is charged in the first open month from the present one on. The same `reference` is recorded only once: a repeat returns the existing line, and a repeat with a different amount, description or project is refused with `idempotency_mismatch`. Only the deployment’s operator may call this operation. The audit record and the event are written in the account that pays.',
  keywords: 'surcharge cost fee expense line item adjustment',
  access: 'operator',
  accountWide: true,
  input: object({
    accountId: uuid('The account that pays.'),
    projectId: optional(uuid('The account’s project that incurred the fee.')),
    description: text('The description that appears on the invoice.', { minLength: 3, maxLength: 200, pattern: '\\S' }),
    amount: amountInput('How much.'),
    incurredAt: optional(dateTime('When it was incurred; defaults to now.')),
    reference: optional(
      text('Your id of the fee. It ensures that the fee is recorded only once in the account.', {
        minLength: 1,
        maxLength: 200,
        pattern: '^[\\x21-\\x7e]+$',
      }),
    ),
  }),
  output: object({ line: PassthroughLine, period: periodSchema }),
  errors: ['operator_only', 'invoice_not_open'],
  events: ['billing.passthrough.recorded'],
  example: {
    input: {
      accountId: exampleAccountId,
      description: examplePassthrough.description,
      amount: '15.00',
      reference: 'registration-1024',
    },
    output: { line: examplePassthrough, period: '2026-11' },
  },

  async handle({ accountId, projectId = null, description, amount: given, incurredAt: at, reference = null }, context) {
    const { db, clock, deployment, fail, audit } = context;
    const { currency } = deployment.settingsOf(deploymentSettings);
    const environments = await actInAccount(context, accountId);
    const amount = positiveAmount('amount', given);
    if (hasControls(description)) throw invalidField('description', 'must not contain line breaks');
    if (projectId !== null) {
      const [owner] = await environmentsOf(db, [projectId]);
      if (owner?.accountId !== accountId)
        throw fail.not_found({ thing: 'project of this account', lookup: 'account.project.list' });
    }
    const now = clock.now();
    const incurredAt = pastDate(at, 'incurredAt', now);
    const fee = { accountId, projectId, description, fee: null, amount, incurredAt, reference };
    const added = await addFee(context, at === undefined ? 'open' : periodOf(incurredAt), fee, environments);
    if ('closed' in added)
      throw fail.invoice_not_open({
        problem: `The month ${added.closed} is closed`,
        nextStep: `Omit incurredAt to charge the fee in ${added.open}.`,
      });
    const { line: known } = added;
    const isSame =
      known.amount === amount &&
      known.description === description &&
      known.projectId === projectId &&
      (at === undefined || known.incurredAt.getTime() === incurredAt.getTime());
    if (!added.isNew && !isSame)
      throw fail.idempotency_mismatch({
        key: 'reference',
        before: `for a fee of ${formatAmount(known.amount, decimalsOf(currency))} ${currency} in ${known.period}: ${known.description}`,
        other: 'another fee',
      });
    const line = presentPassthrough(known, currency);
    audit({
      subject: { type: 'passthrough', id: line.id },
      summary: `Added a fee of ${line.amount.amount} ${currency} to ${known.period}: ${line.description}`,
      changes: added.isNew ? newFields(line, ['description', 'amount', 'projectId', 'incurredAt', 'reference']) : [],
      unchanged: `the fee ${reference ?? ''} was already recorded in ${known.period}.`,
    });
    return { line, period: known.period };
  },
});
