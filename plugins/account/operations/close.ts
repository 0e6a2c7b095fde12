import { changesBetween } from '#core/kernel/audit/changes.js';
import { closeEnvironments } from '#core/kernel/environment/environment.js';
import { defineOperation } from '#core/kernel/operation.js';
import { filledText, object } from '#core/kernel/schema/schema.js';
import { lockAccount, accounts } from '../tables/account.js';
import { presentAccount, Account, exampleAccount } from '../accounts/resources.js';

/** What a closure stops, and what happens after it: docs/operating.md, Closing an account. */
export default defineOperation({
  name: 'account.close',
  summary:
    'Closes the account and stops sending immediately in every environment, queued messages included. Nothing is deleted.',
  description:
    'Queued messages are held and imports wait. Webhooks, reads and unsubscribing keep working. account.reopen releases messages held for less than 24 hours and cancels older ones.',
  keywords: 'terminate cancel delete',
  access: 'secret',
  liveOnly: true,
  impact: { destructive: true },
  accountWide: true,
  ownerOnly: true,
  input: object({ reason: filledText('Why the account is being closed; stored with the account.', 500, 3) }),
  output: object({ account: Account }),
  errors: ['account_closed'],
  events: ['account.closed'],
  example: {
    input: { reason: 'We moved to another deployment.' },
    output: {
      account: {
        ...exampleAccount,
        closedAt: '2026-11-21T08:00:00.000Z',
        closedReason: 'We moved to another deployment.',
      },
    },
  },

  async handle({ reason }, { db, caller, clock, fail, emit, audit }) {
    const before = await lockAccount(db, caller);
    if (before.operator) {
      throw fail.forbidden({
        problem: 'the operator’s own account runs the deployment and cannot be closed',
        nextStep: 'Stop the server instead. Close any other account with a key of that account.',
      });
    }
    if (before.closedAt) throw fail.account_closed({ reopen: 'account.reopen' });
    const closedAt = clock.now();
    await db.update(accounts, { id: before.id }, { closedAt, closedReason: reason });
    await closeEnvironments(db, before.id, closedAt);
    const account = presentAccount({ ...before, closedAt, closedReason: reason });
    audit({
      subject: { type: 'account', id: before.id },
      summary: `Closed the account: ${reason}`,
      changes: changesBetween(presentAccount(before), account, ['closedAt', 'closedReason']),
    });
    emit('account.closed', { subjectId: before.id, data: { account } });
    return { account };
  },
});
