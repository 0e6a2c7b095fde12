import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { metering, type Metering, type Usage } from '#plugins/billing/ports.js';
import { draft, publish, publisher, reached, sendBroadcast, shown, subscribe } from '#test/email/broadcast/support.js';
import { useMail } from '#test/email/support.js';
import type { TestAccount } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { mail, usageIs, usageOf } from './metering-support.js';
import { flat, usePrices } from './prices.js';
import { closeMonths, endMonth } from './support.js';

describe('What broadcasts reserve of the spending cap', () => {
  needProducts('audience');
  const mails = useMail({
    settings: usePrices([flat('email.message', '1'), flat('email.broadcast_message', '1')]),
  });
  const { platform } = mails;
  const smtp = () => mails.smtp;
  /** The id of a broadcast that does not need to exist. */
  let source = '';
  beforeEach(() => {
    source = randomUUID();
  });
  const units = (quantity: number, sourceId = source): Usage[] => [
    { meter: 'email.broadcast_message', quantity, country: null, sourceId },
  ];
  /** Does work with the metering port, in a transaction as a worker does. */
  const metered = <T>({ live }: Pick<TestAccount, 'live'>, work: (port: Metering) => Promise<T>): Promise<T> =>
    platform.running.services.transaction('Test', ({ use, actIn }) => {
      actIn(live);
      return work(use(metering));
    });
  const remaining = async ({ svc }: Pick<TestAccount, 'svc'>): Promise<string | undefined> =>
    (await svc.call('billing.get', {})).capRemaining?.amount;
  const withCap = async (amount: string): Promise<TestAccount> => {
    const account = await platform.account();
    await account.svc.call('billing.cap.set', { amount });
    return account;
  };

  it('is theirs alone: of two that are sent at once and fit only one by one, one is refused and the other complete', async () => {
    const node = await platform.secondNode();
    for (let round = 0; round < 3; round += 1) {
      const sender = await publisher(platform);
      const { svc } = sender;
      await publish(sender, { en: { subject: 'News', text: 'Hello' } });
      await subscribe(sender, ['a@example.com', 'b@example.com', 'c@example.com']);
      const { plaintext } = await svc.call('developers.key.create', { name: 'Second', permissions: ['email:write'] });
      const drafts = await Promise.all([1, 2].map(() => svc.call('email.broadcast.create', draft(sender))));
      await svc.call('billing.cap.set', { amount: '5' });
      const answers = await Promise.all(
        drafts.map(({ broadcast: { id: broadcastId } }, index) =>
          (index === 0 ? svc : node.as(plaintext)).raw('/email/broadcast/send', JSON.stringify({ broadcastId })),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 402]);
      const refused = answers.findIndex(({ status }) => status === 402);
      expect(answers[refused]?.text).to.contain('"spending_cap_reached"');
      const [sent, kept] = [drafts[1 - refused], drafts[refused]].map((each) => each?.broadcast.id ?? '');
      await reached(sender, sent ?? '', 'sent');
      expect((await shown(sender, sent ?? '')).counts).to.include({ recipients: 3, sent: 3 });
      expect(await shown(sender, kept ?? '')).to.include({ status: 'draft', counts: null });
      expect(await usageOf(svc)).to.deep.equal(['email.broadcast_message 3 3.00']);
      expect(await remaining(sender)).to.equal('2.00');
    }
    await node.stop();
  });

  it('is named in the readiness of a draft that would cross it, with what to do', async () => {
    const sender = await publisher(platform);
    const { svc } = sender;
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    await subscribe(sender, ['a@example.com', 'b@example.com', 'c@example.com']);
    await svc.call('billing.cap.set', { amount: '2' });
    const { broadcast, readiness } = await svc.call('email.broadcast.create', draft(sender));
    expect(readiness.ok).to.equal(false);
    expect(readiness.problems).to.deep.equal([
      {
        code: 'spending_cap_reached',
        message: 'It would cost up to 3.00 USD and exceed the spending cap of 2.00 USD.',
        fix: 'Let an owner raise or remove the cap with billing.cap.set, or send it next month (UTC).',
      },
    ]);
    const refused = await svc.refusal('email.broadcast.send', { broadcastId: broadcast.id });
    expect(refused.code).to.equal('spending_cap_reached');
    // A draft for later takes its cost when its time comes.
    const scheduledAt = new Date(platform.clock.now().getTime() + 3_600_000).toISOString();
    const later = await svc.call('email.broadcast.update', { broadcastId: broadcast.id, scheduledAt });
    expect(later.readiness.ok).to.equal(true);
    await svc.call('email.broadcast.update', { broadcastId: broadcast.id, scheduledAt: null });
    await svc.call('billing.cap.set', { amount: '3' });
    expect((await svc.call('email.broadcast.get', { broadcastId: broadcast.id })).readiness.ok).to.equal(true);
  });

  it('reduces what others may spend before a message is created, and is on no bill', async () => {
    const account = await withCap('3');
    const { svc } = account;
    expect(await metered(account, (port) => port.reserve(account.live, units(3)))).to.equal(null);
    const refused = await svc.refusal('email.send', mail());
    expect(refused).to.include({ code: 'spending_cap_reached' });
    expect(refused.fix).to.contain('billing.get');
    expect(await usageOf(svc)).to.deep.equal([]);
    const { amountSoFar, capRemaining, reserved } = await svc.call('billing.get', {});
    expect([amountSoFar.amount, capRemaining?.amount, reserved.amount]).to.deep.equal(['0.00', '0.00', '3.00']);
  });

  it('becomes usage step by step; only what goes beyond it may be refused', async () => {
    const account = await withCap('5');
    const { svc, live } = account;
    await metered(account, (port) => port.reserve(live, units(4)));
    for (const step of [1, 3])
      expect(await metered(account, (port) => port.recordReserved(live, units(step)))).to.equal(null);
    expect(await usageOf(svc)).to.deep.equal(['email.broadcast_message 4 4.00']);
    expect(await remaining(account)).to.equal('1.00');
    // The audience has grown since.
    expect(await metered(account, (port) => port.recordReserved(live, units(2)))).to.not.equal(null);
    expect(await metered(account, (port) => port.recordReserved(live, units(1)))).to.equal(null);
    expect(await remaining(account)).to.equal('0.00');
  });

  it('is returned as far as it is not used', async () => {
    const account = await withCap('5');
    const { svc, live } = account;
    await metered(account, (port) => port.reserve(live, units(5)));
    await metered(account, (port) => port.recordReserved(live, units(2)));
    await metered(account, (port) => port.returnReserved(randomUUID()));
    expect(await remaining(account)).to.equal('0.00');
    await metered(account, (port) => port.returnReserved(source));
    expect(await remaining(account)).to.equal('3.00');
    for (let count = 0; count < 3; count += 1) await svc.call('email.send', mail());
    expect(await svc.refusal('email.send', mail())).to.include({ code: 'spending_cap_reached' });
  });

  it('is returned when every message is made, and when the broadcast is cancelled', async () => {
    const sender = await publisher(platform);
    const { svc, live } = sender;
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    await subscribe(sender, ['a@example.com', 'b@example.com']);
    await svc.call('billing.cap.set', { amount: '9' });
    const broadcastId = await sendBroadcast(sender);
    await reached(sender, broadcastId, 'sent');
    const reserved = () => platform.count('billing_reservation', `source_id = '${broadcastId}'`);
    expect(await reserved()).to.equal(0);
    // A scheduled one reserves when its time comes; this one's time seems to have come.
    const scheduledAt = new Date(platform.clock.now().getTime() + 3_600_000).toISOString();
    const later = await sendBroadcast(sender, { scheduledAt });
    expect(await remaining(sender)).to.equal('7.00');
    await metered(sender, (port) => port.reserve(live, units(5, later)));
    expect(await remaining(sender)).to.equal('2.00');
    await svc.call('email.broadcast.cancel', { broadcastId: later });
    expect(await remaining(sender)).to.equal('7.00');
  });

  it('is kept while it is paused, so that it can go on, and returned when it is cancelled', async () => {
    const sender = await publisher(platform);
    const { svc, live } = sender;
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    await subscribe(sender, ['a@example.com', 'b@example.com']);
    await svc.call('billing.cap.set', { amount: '9' });
    // Tried again later: the broadcast is not at its end.
    smtp().onMessage = () => ({ code: 451, message: '4.3.0 later' });
    const broadcastId = await sendBroadcast(sender);
    await reached(sender, broadcastId, 'sending');
    await usageIs(svc, ['email.broadcast_message 2 2.00']);
    await platform.settled();
    // As if five of its messages were still to be made.
    await metered(sender, (port) => port.reserve(live, units(5, broadcastId)));
    await svc.call('email.broadcast.pause', { broadcastId });
    expect(await remaining(sender)).to.equal('2.00');
    expect((await svc.call('billing.get', {})).reserved.amount).to.equal('5.00');
    expect(await svc.refusal('email.batch.send', { messages: [mail(), mail(), mail()] })).to.include({
      code: 'spending_cap_reached',
    });
    await svc.call('email.broadcast.cancel', { broadcastId });
    smtp().onMessage = () => null;
    expect((await svc.call('billing.get', {})).reserved.amount).to.equal('0.00');
  });

  it('counts for a cap that is set meanwhile, and no longer does once the cap is too low for it', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    await metered(account, (port) => port.reserve(live, units(4)));
    await svc.call('billing.cap.set', { amount: '6' });
    expect(await remaining(account)).to.equal('2.00');
    for (let count = 0; count < 2; count += 1) await svc.call('email.send', mail());
    expect(await svc.refusal('email.send', mail())).to.include({ code: 'spending_cap_reached' });
    expect(await metered(account, (port) => port.mustReserve(live, units(1)))).to.equal(false);
    await svc.call('billing.cap.set', { amount: '3' });
    expect(await remaining(account)).to.equal('1.00');
    // It must reserve what is left of it before it goes on, and cannot.
    expect(await metered(account, (port) => port.mustReserve(live, units(1)))).to.equal(true);
    expect(await metered(account, (port) => port.reserve(live, units(4)))).to.not.equal(null);
  });

  it('holds for its month: in the next one what is left is reserved anew, and the month is closed without it', async () => {
    const account = await withCap('4');
    const { svc, live } = account;
    await metered(account, (port) => port.reserve(live, units(4)));
    await metered(account, (port) => port.recordReserved(live, units(1)));
    const period = endMonth(platform);
    expect(await metered(account, (port) => port.mustReserve(live, units(1)))).to.equal(true);
    expect(await remaining(account)).to.equal('4.00');
    expect(await metered(account, (port) => port.reserve(live, units(3)))).to.equal(null);
    expect(await remaining(account)).to.equal('1.00');
    await closeMonths(platform);
    expect((await svc.call('billing.invoice.get', { period })).invoice.subtotal).to.equal('1.00');
    expect(await remaining(account)).to.equal('1.00');
  });

  it('is nothing in test environments, for free messages, and without a cap', async () => {
    const account = await withCap('1');
    const { live, test } = account;
    expect(await metered({ live: test }, (port) => port.reserve(test, units(9)))).to.equal(null);
    expect(
      await metered(account, (port) =>
        port.reserve(
          live,
          units(9).map((each) => ({ ...each, meter: 'sms.segment' })),
        ),
      ),
    ).to.equal(null);
    expect(await remaining(account)).to.equal('1.00');
    // Free messages are reserved once as well, so that they are not counted again before each batch.
    expect(await metered(account, (port) => port.mustReserve(live, units(1)))).to.equal(false);
    const other = await platform.account();
    expect(await metered(other, (port) => port.mustReserve(other.live, units(1)))).to.equal(false);
  });
});
