import { expect } from 'chai';
import { operatorOf } from '#test/billing/support.js';
import { usePlatform } from '#test/support/platform.js';

describe('The currency of a deployment', () => {
  const platform = usePlatform({ settings: () => Promise.resolve({ SVC_PRODUCTS: 'account,developers,billing' }) });
  const problemOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => '',
      (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : ''),
    );

  it('may be changed while nothing is stored; a node that has the earlier one stores no amount', async () => {
    const { accountId, svc } = await platform.account();
    const operator = operatorOf(platform);
    const credit = { accountId, amount: '50', reason: 'Welcome credit' };
    const node = await platform.secondNode({ SVC_CURRENCY: 'JPY' });
    expect((await operator.refusal('billing.credit.record', credit)).code).to.equal('unavailable');
    expect((await svc.refusal('billing.cap.set', { amount: '5' })).message).to.contain('SVC_CURRENCY=USD');
    await node.stop();
  });

  it('stays once an amount is stored: a start with another one is refused, and says what to do', async () => {
    await platform.restart({ SVC_CURRENCY: 'USD' });
    const { svc } = await platform.account();
    await svc.call('billing.cap.set', { amount: '50' });
    const problem = await problemOf(platform.secondNode({ SVC_CURRENCY: 'JPY' }));
    expect(problem)
      .to.contain('SettingsError: SVC_CURRENCY is JPY')
      .and.to.contain('are in USD. Amounts are not converted')
      .and.to.contain('Set SVC_CURRENCY=USD')
      .and.to.contain('start another deployment');
    expect((await svc.call('billing.get', {})).cap).to.deep.equal({ currency: 'USD', amount: '50.00' });
  });
});
