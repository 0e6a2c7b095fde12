import { expect } from 'chai';
import { useMail } from '#test/email/support.js';
import type { TestAccount } from '#test/support/platform.js';
import { flat, usePrices } from '#test/billing/prices.js';
import { adminOf, mail, rollUp, usageOf } from './metering-support.js';

const amountIn = (money: unknown): string =>
  typeof money === 'object' && money !== null && 'amount' in money ? String(money.amount) : '';

describe('billing.cap.set', () => {
  const { platform } = useMail({
    settings: usePrices([
      {
        meter: 'email.message',
        tiers: [
          [2, '0'],
          [null, '1'],
        ],
      },
      flat('email.broadcast_message', '1'),
      flat('auth.monthly_active_user', '1'),
    ]),
  });

  /** The billing.cap events of an account’s live environment, with their amounts so far. */
  const capEvents = async ({ live }: TestAccount): Promise<string[][]> =>
    (await platform.events(live))
      .filter(({ type }) => type.startsWith('billing.cap.'))
      .map(({ type, data }) => [type, amountIn(data['amountSoFar'])]);

  it('refuses what would cross it, stores and queues nothing, and tells it once', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    const reply = await svc.call('billing.cap.set', { amount: '1.5' });
    expect(reply).to.deep.equal({
      cap: { currency: 'USD', amount: '1.50' },
      amountSoFar: { currency: 'USD', amount: '0.00' },
    });
    // Two are free, the third costs 1.
    for (let count = 0; count < 3; count += 1) await svc.call('email.send', mail());
    const stored = async (): Promise<string[]> =>
      (await svc.call('email.message.list', {})).messages.map(({ messageId }) => messageId);
    const before = await stored();
    for (let count = 0; count < 2; count += 1) {
      const refusal = await svc.refusal('email.send', mail());
      expect(refusal).to.include({ code: 'spending_cap_reached', status: 402 });
      expect(refusal.message).to.contain('1.00 USD').and.to.contain('1.50 USD');
    }
    expect(await svc.refusal('email.batch.send', { messages: [mail(), mail()] })).to.include({
      code: 'spending_cap_reached',
    });
    expect(await stored()).to.deep.equal(before);
    expect(await usageOf(svc)).to.deep.equal(['email.message 3 1.00']);
    expect(await capEvents(account)).to.deep.equal([
      ['billing.cap.changed', '0.00'],
      ['billing.cap.reached', '1.00'],
    ]);
    await rollUp(platform);
    expect(await svc.refusal('email.send', mail())).to.include({ code: 'spending_cap_reached' });
    expect(await platform.count('email_queue', `partition_id = x'${live.id.replaceAll('-', '')}'`)).to.be.at.most(3);

    // A higher cap, or none, lets it go on. Crossing the new one emits the event again.
    await svc.call('billing.cap.set', { amount: '2' });
    await svc.call('email.send', mail());
    await svc.refusal('email.send', mail());
    expect((await capEvents(account)).filter(([type]) => type === 'billing.cap.reached')).to.have.length(2);
    await svc.call('billing.cap.set', { amount: null });
    await svc.call('email.send', mail());
    expect(await usageOf(svc)).to.deep.equal(['email.message 5 3.00']);
  });

  it('takes back a key of a refused call, so that the same call is accepted later', async () => {
    const { svc } = await platform.account();
    await svc.call('billing.cap.set', { amount: '0' });
    const idempotencyKey = 'the-same-call-later';
    for (let count = 0; count < 2; count += 1) await svc.call('email.send', mail());
    await svc.refusal('email.send', mail(), { idempotencyKey });
    await svc.call('billing.cap.set', { amount: null });
    await svc.call('email.send', mail(), { idempotencyKey });
    expect(await usageOf(svc)).to.deep.equal(['email.message 3 1.00']);
  });

  it('is refused below what the month costs already, and reached at once where it equals it', async () => {
    const account = await platform.account();
    const { svc } = account;
    for (let count = 0; count < 5; count += 1) await svc.call('email.send', mail());
    const refusal = await svc.refusal('billing.cap.set', { amount: '2.999999' });
    expect(refusal).to.include({ code: 'cap_below_usage', status: 409 });
    expect(refusal.message).to.contain('3.00');
    await svc.call('billing.cap.set', { amount: '3' });
    expect(await capEvents(account)).to.deep.equal([
      ['billing.cap.changed', '3.00'],
      ['billing.cap.reached', '3.00'],
    ]);
    // The same cap again says the same, and nothing happens.
    await svc.call('billing.cap.set', { amount: '3.00' });
    expect(await capEvents(account)).to.have.length(2);
  });

  it('says what an amount looks like, also for a number in place of a text', async () => {
    const { svc } = await platform.account();
    for (const amount of ['200 USD', '-1', '1.1234567', 200]) {
      const refusal = await svc.refusal('billing.cap.set', { amount });
      expect(refusal.details, String(amount)).to.deep.equal({ field: 'amount' });
      expect(refusal.message).to.contain('must be a decimal number as a text, such as "12.50"');
    }
    const month = await svc.refusal('billing.usage.get', { period: '11-2026' });
    expect(month.message).to.equal('The field “period” must be a month as YYYY-MM, such as 2026-11.');
    expect((await svc.refusal('billing.details.set', {})).message).to.equal(
      'The input names nothing to change: send at least one field.',
    );
  });

  it('belongs to the owners', async () => {
    const { svc } = await platform.account();
    const admin = await adminOf(platform, { svc });
    const refusal = await admin.refusal('billing.cap.set', { amount: '1' });
    expect(refusal).to.include({ code: 'owner_only', status: 403 });
  });

  it('does not hold for test environments, and counts system mail without refusing it', async () => {
    const { svc, svcTest, ownerEmail } = await platform.account();
    await svc.call('billing.cap.set', { amount: '0' });
    for (let count = 0; count < 4; count += 1) await svcTest.call('email.send', mail(ownerEmail));
    for (let count = 0; count < 4; count += 1)
      await svc.call('account.member.invite', { email: `colleague-${count}@example.com`, role: 'viewer' });
    expect(await usageOf(svc)).to.deep.equal(['email.message 4 2.00', 'test email.message 4 0.00']);
    expect(await svc.refusal('email.send', mail())).to.include({ code: 'spending_cap_reached' });
  });

  it('has room again when messages end without having been submitted', async () => {
    const { svc } = await platform.account();
    await svc.call('billing.cap.set', { amount: '1' });
    const sendAfter = new Date(platform.clock.now().getTime() + 3_600_000).toISOString();
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1)
      ids.push((await svc.call('email.send', { ...mail(), sendAfter })).messageId);
    await svc.refusal('email.send', mail());
    await svc.call('email.message.cancel', { messageId: ids[0] ?? '' });
    await svc.call('email.send', mail());
    await svc.refusal('email.send', mail());
  });

  it('begins anew with the month', async () => {
    const { svc } = await platform.account();
    await svc.call('billing.cap.set', { amount: '1' });
    for (let count = 0; count < 3; count += 1) await svc.call('email.send', mail());
    await svc.refusal('email.send', mail());
    platform.clock.advance(31 * 86_400_000);
    await svc.call('email.send', mail());
  });
});
