import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { operatorKey, operatorOf } from '#test/billing/support.js';
import { days } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';

describe('billing.credit.record', () => {
  const platform = usePlatform();
  const reason = 'Welcome credit';

  it('grants an account a credit and answers what it has altogether', async () => {
    const { accountId, live } = await platform.account();
    const operator = operatorOf(platform);
    const first = await operator.call('billing.credit.record', { accountId, amount: '50', reason });
    expect(first.credit).to.deep.include({ amount: usd('50.00'), remaining: usd('50.00'), reason, expiresAt: null });
    expect(first.balance).to.deep.equal(usd('50.00'));
    const second = await operator.call('billing.credit.record', { accountId, amount: '0.000001', reason });
    expect(second.balance).to.deep.equal(usd('50.000001'));

    const events = (await platform.events(live)).filter(({ type }) => type === 'billing.credit.recorded');
    expect(events.map(({ data }) => data)).to.deep.equal([first, second]);
  });

  it('leaves its audit record in the account that gets the credit', async () => {
    const { accountId, svc } = await platform.account();
    const { activityId } = await operatorOf(platform).envelope('billing.credit.record', {
      accountId,
      amount: '5',
      reason,
    });
    const { activity } = await svc.call('account.activity.get', { activityId });
    expect(activity).to.include({
      operation: 'billing.credit.record',
      summary: 'Granted a credit of 5.00 USD: Welcome credit',
    });
    const own = await operatorOf(platform).refusal('account.activity.get', { activityId });
    expect(own.code).to.equal('not_found');
  });

  it('counts no credit that has expired', async () => {
    const { accountId } = await platform.account();
    const operator = operatorOf(platform);
    const expiresAt = new Date(platform.clock.now().getTime() + days(1)).toISOString();
    const short = await operator.call('billing.credit.record', { accountId, amount: '5', reason, expiresAt });
    expect(short.credit.expiresAt).to.equal(expiresAt);
    platform.clock.advance(days(1));
    const { balance } = await operator.call('billing.credit.record', { accountId, amount: '1', reason });
    expect(balance).to.deep.equal(usd('1.00'));
  });

  it('refuses amounts that are none, and an end in the past', async () => {
    const { accountId } = await platform.account();
    const operator = operatorOf(platform);
    for (const amount of ['0', '-1', '0.0000001', '1e3', '', '9999999999999999', '9223372036854.775808']) {
      const refusal = await operator.refusal('billing.credit.record', { accountId, amount, reason });
      expect(refusal, amount).to.deep.include({ code: 'invalid_input', details: { field: 'amount' } });
    }
    const expiresAt = platform.clock.now().toISOString();
    const late = await operator.refusal('billing.credit.record', { accountId, amount: '1', reason, expiresAt });
    expect(late).to.deep.include({ code: 'invalid_input', details: { field: 'expiresAt' } });
    const input = { accountId, amount: '1', reason, expiresAt: '9999-12-31T23:59:59-01:00' };
    const latest = await operator.refusal('billing.credit.record', input);
    expect(latest).to.deep.include({ code: 'invalid_input', details: { field: 'expiresAt' } });
    expect(latest.message).to.contain('9999');
  });

  it('refuses an account that does not exist', async () => {
    const refusal = await operatorOf(platform).refusal('billing.credit.record', {
      accountId: newId(),
      amount: '1',
      reason,
    });
    expect(refusal).to.include({ code: 'not_found', status: 404 });
  });

  it('is for the operator’s live key of an owner alone', async () => {
    const { accountId, svc } = await platform.account();
    const input = { accountId, amount: '1', reason };
    expect(await svc.refusal('billing.credit.record', input)).to.include({ code: 'operator_only', status: 403 });
    const test = platform.running.firstRun?.keys.test.secret ?? '';
    expect((await platform.api.refusal('billing.credit.record', input, { key: test })).code).to.equal('operator_only');
    const { plaintext } = await operatorOf(platform).call('developers.key.create', {
      name: 'Billing reader',
      permissions: ['billing:read'],
    });
    const reader = await platform.api.refusal('billing.credit.record', input, { key: plaintext });
    expect(reader.code).to.equal('permission_required');
    expect(operatorKey(platform)).to.match(/^svc_live_/);
  });
});

const usd = (amount: string): { currency: string; amount: string } => ({ currency: 'USD', amount });
