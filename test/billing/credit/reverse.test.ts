import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { operatorOf } from '#test/billing/support.js';
import { usePlatform } from '#test/support/platform.js';

describe('billing.credit.reverse', () => {
  const platform = usePlatform();
  const reason = 'Granted twice';

  it('takes back what is left and leaves the account’s other credits', async () => {
    const { accountId, live, svc } = await platform.account();
    const operator = operatorOf(platform);
    const grant = { accountId, reason: 'Welcome credit' };
    const { credit } = await operator.call('billing.credit.record', { ...grant, amount: '50' });
    await operator.call('billing.credit.record', { ...grant, amount: '7.50' });
    const { result, activityId } = await operator.envelope('billing.credit.reverse', { creditId: credit.id, reason });
    expect(result.credit).to.deep.equal({
      ...credit,
      remaining: { currency: 'USD', amount: '0.00' },
      reversedAt: platform.clock.now().toISOString(),
    });
    expect(result.balance).to.deep.equal({ currency: 'USD', amount: '7.50' });
    const events = (await platform.events(live)).filter(({ type }) => type === 'billing.credit.reversed');
    expect(events.map(({ data }) => data)).to.deep.equal([result]);
    const { activity } = await svc.call('account.activity.get', { activityId });
    expect(activity.summary).to.equal('Reversed 50.00 USD of a credit of 50.00 USD: Granted twice');
  });

  it('reverses a credit once, however many calls race', async () => {
    const { accountId, live } = await platform.account();
    const operator = operatorOf(platform);
    const { credit } = await operator.call('billing.credit.record', { accountId, amount: '5', reason: 'Welcome' });
    const input = JSON.stringify({ creditId: credit.id, reason });
    const answers = await Promise.all(Array.from({ length: 8 }, () => operator.raw('/billing/credit/reverse', input)));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409, 409, 409, 409, 409, 409]);
    expect((await operator.refusal('billing.credit.reverse', { creditId: credit.id, reason })).code).to.equal(
      'credit_reversed',
    );
    const types = (await platform.events(live)).map(({ type }) => type);
    expect(types.filter((type) => type === 'billing.credit.reversed')).to.have.length(1);
  });

  it('refuses a credit that does not exist, and callers other than the operator', async () => {
    const { svc, accountId } = await platform.account();
    const operator = operatorOf(platform);
    expect((await operator.refusal('billing.credit.reverse', { creditId: newId(), reason })).code).to.equal(
      'not_found',
    );
    const { credit } = await operator.call('billing.credit.record', { accountId, amount: '5', reason });
    const refusal = await svc.refusal('billing.credit.reverse', { creditId: credit.id, reason });
    expect(refusal).to.include({ code: 'operator_only', status: 403 });
  });
});
