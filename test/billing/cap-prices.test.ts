import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { repriceMonths } from '#plugins/billing/cap/reprice-months.js';
import { notifyOwners } from '#plugins/billing/cap/notify-owners.js';
import { metering } from '#plugins/billing/ports.js';
import { useMail } from '#test/email/support.js';
import type { TestAccount } from '#test/support/platform.js';
import { mail, rollUp } from './metering-support.js';
import { flat, usePrices } from './prices.js';

const priced = (price: string): ReturnType<typeof flat>[] => [
  flat('email.message', price),
  flat('email.broadcast_message', price),
];

describe('A spending cap after a restart with other prices in the month', () => {
  const { platform } = useMail({ settings: usePrices(priced('1')) });
  const dearer = usePrices(priced('3'));
  const cheaper = usePrices(priced('0.5'));

  const withCap = async (amount: string): Promise<TestAccount> => {
    const account = await platform.account();
    await account.svc.call('billing.cap.set', { amount });
    return account;
  };
  const storedAs = async ({ accountId }: TestAccount, amounts: string): Promise<void> => {
    const id = accountId.replaceAll('-', '');
    expect(await platform.count('billing_month', `account_id = x'${id}' AND ${amounts}`), amounts).to.equal(1);
  };
  const shown = async ({ svc }: TestAccount): Promise<(string | undefined)[]> => {
    const { amountSoFar, capRemaining } = await svc.call('billing.get', {});
    return [amountSoFar.amount, capRemaining?.amount];
  };

  it('counts what was used before by the new prices, from the first call on', async () => {
    const account = await withCap('10');
    for (let count = 0; count < 3; count += 1) await account.svc.call('email.send', mail());
    await rollUp(platform);

    await platform.restart(await dearer());
    expect(await shown(account)).to.deep.equal(['9.00', '1.00']);
    expect(await account.svc.refusal('email.send', mail())).to.include({ code: 'spending_cap_reached' });
    await repriceMonths(platform.running.services);
    await storedAs(account, 'spent = 9000000');
    await notifyOwners(platform.running.services);
    await storedAs(account, 'most_notified_at IS NOT NULL');

    await platform.restart(await cheaper());
    expect(await shown(account)).to.deep.equal(['1.50', '8.50']);
    await account.svc.call('email.send', mail());
    await rollUp(platform);
    await repriceMonths(platform.running.services);
    await storedAs(account, 'spent = 2000000 AND reserved = 0');
  });

  it('counts what broadcasts have reserved by the new prices', async () => {
    await platform.restart(await cheaper());
    const account = await withCap('10');
    const units = { meter: 'email.broadcast_message', quantity: 3, country: null, sourceId: randomUUID() } as const;
    await platform.running.services.transaction('Test', ({ use, actIn }) => {
      actIn(account.live);
      return use(metering).reserve(account.live, [units]);
    });
    await account.svc.call('email.send', mail());
    await rollUp(platform);

    await platform.restart(await dearer());
    expect(await account.svc.refusal('email.send', mail())).to.include({ code: 'spending_cap_reached' });
    await repriceMonths(platform.running.services);
    await storedAs(account, 'spent = 3000000 AND reserved = 9000000');
    await account.svc.call('billing.cap.set', { amount: '15' });
    await account.svc.call('email.send', mail());
    expect(await account.svc.refusal('email.send', mail())).to.include({ code: 'spending_cap_reached' });
  });
});
