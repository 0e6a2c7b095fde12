import { changesBetween } from '#core/kernel/audit/changes.js';
import { reopenEnvironments } from '#core/kernel/environment/environment.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object } from '#core/kernel/schema/schema.js';
import { lockAccount, accounts } from '../tables/account.js';
import { presentAccount, Account, exampleAccount } from '../accounts/resources.js';

/** What a closure stops, and what happens after it: docs/operating.md, Closing an account. */
export default defineOperation({
  name: 'account.reopen',
  summary:
    'Reopens the account. Messages that the closure held for less than 24 hours are released and older ones are cancelled.',
  access: 'secret',
  liveOnly: true,
  impact: { retrySafe: true },
  accountWide: true,
  ownerOnly: true,
  input: object({}),
  output: object({ account: Account }),
  events: ['account.reopened'],
  example: { input: {}, output: { account: exampleAccount } },

  async handle(_, { db, caller, clock, emit, audit }) {
    const before = await lockAccount(db, caller);
    const account = presentAccount({ ...before, closedAt: null, closedReason: null });
    audit({
      subject: { type: 'account', id: before.id },
      summary: 'Reopened the account.',
      changes: changesBetween(presentAccount(before), account, ['closedAt', 'closedReason']),
      unchanged: 'the account was already open.',
    });
    if (!before.closedAt) return { account };
    await db.update(accounts, { id: before.id }, { closedAt: null, closedReason: null });
    await reopenEnvironments(db, before.id, clock.now());
    emit('account.reopened', { subjectId: before.id, data: { account } });
    return { account };
  },
});
