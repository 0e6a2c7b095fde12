import { defineOperation } from '#core/kernel/operation.js';
import { list, object, oneOf, optional, uuid, withDefault } from '#core/kernel/schema/schema.js';
import { directory } from '#plugins/account/ports.js';
import { exampleMoney } from '../../examples.js';
import { chargedPrices } from '../../periods/charged-prices.js';
import { periodOf } from '../../periods/months.js';
import { usageBreakdowns, usageRowsOf } from '../../metering/present-usage.js';
import { reversalsIn } from '../../metering/reversals.js';
import { usageOf } from '../../metering/used.js';
import { moneyOf } from '../../money/micros.js';
import { Money } from '#core/kernel/schema/money.js';
import { period as periodField, UsageRow } from '../../resources.js';
import { tariffOf } from '../../settings/tariff.js';

export default defineOperation({
  name: 'billing.usage.get',
  summary: 'Returns a month’s metered usage by meter, project or day, with its price.',
  description:
    'Usage is included as soon as the call that caused it returns. Units of messages that are not handed to a provider are reversed at their original price: in their own month while it is open, otherwise in the month in which they end, so a row can be negative. Usage of test environments has its own rows, with `test` true and no price. The rows add up to `total`, before credits, pass-through fees and tax.',
  keywords: 'consumption metering cost statistics messages segments users contacts',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  mayBeOld: 'on request',
  input: object({
    period: optional(periodField),
    projectId: optional(uuid('Only usage of this project.')),
    by: withDefault(
      oneOf(
        usageBreakdowns,
        'meter: one row per meter; project: one per project and meter; day: one per day and meter.',
      ),
      'meter',
    ),
  }),
  output: object({
    period: periodField,
    rows: list(UsageRow, 'By meter, project or day.'),
    total: Money,
  }),
  example: {
    input: { period: '2026-11' },
    output: {
      period: '2026-11',
      rows: [
        {
          meter: 'email.message',
          project: null,
          date: null,
          test: false,
          quantity: 31_250,
          amount: exampleMoney('12.10'),
        },
      ],
      total: exampleMoney('12.10'),
    },
  },

  async handle({ period, projectId, by }, { db, caller, clock, deployment, use, fail }) {
    const { accountId } = caller.environment;
    const month = period ?? periodOf(clock.now());
    const projects = await use(directory).projects(accountId);
    if (projectId !== undefined && !projects.some(({ id }) => id === projectId))
      throw fail.not_found({ thing: 'project', lookup: 'account.project.list' });
    const tariff = tariffOf(deployment);
    const { currency } = tariff;
    const used = await usageOf(db, accountId, month);
    const given = await reversalsIn(db, tariff, accountId, month);
    const prices = await chargedPrices(db, tariff, accountId, month);
    const { rows, total } = usageRowsOf(used, given, prices, {
      by,
      projects,
      currency,
      projectId,
    });
    return { period: month, rows, total: moneyOf(total, currency) };
  },
});
