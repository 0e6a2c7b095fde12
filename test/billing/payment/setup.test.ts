import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { days } from '#test/support/clock.js';
import { adminOf } from '../metering-support.js';
import { addCard, useStripe } from './support.js';

describe('billing.payment.setup and billing.payment.confirm', () => {
  const { platform, stripe } = useStripe();
  const start = async (returnUrl?: string) => {
    const account = await platform.account();
    const started = await account.svc.call('billing.payment.setup', returnUrl === undefined ? {} : { returnUrl });
    return { ...account, ...started };
  };

  it('lead to a page of the provider, and store the method that was entered there', async () => {
    const { svc, live, setupId, url, expiresAt } = await start();
    expect(url).to.match(/\/checkout\/cs_test_/);
    expect(new Date(expiresAt).getTime()).to.be.greaterThan(platform.clock.now().getTime());
    expect(await svc.call('billing.payment.confirm', { setupId })).to.deep.equal({
      paymentMethod: null,
      status: 'pending',
    });
    await stripe().enterCard(url, '4242424242424242');
    const active = { paymentMethod: { brand: 'visa', last4: '4242', expires: '2031-04' }, status: 'active' as const };
    expect(await svc.call('billing.payment.confirm', { setupId })).to.deep.equal(active);
    expect(await svc.call('billing.payment.confirm', { setupId }), 'a repeat').to.deep.equal(active);
    expect((await svc.call('billing.get', {})).paymentMethod).to.deep.equal(active.paymentMethod);
    const events = (await platform.events(live)).filter(({ type }) => type.startsWith('billing.'));
    expect(events.map(({ type }) => type)).to.deep.equal(['billing.payment.setup_started', 'billing.payment.updated']);
    expect(events[0]?.data).to.deep.equal({ setupId, expiresAt });
    expect(events[1]?.data).to.deep.equal({
      standing: 'good',
      paymentMethod: active.paymentMethod,
      details: null,
      invoice: null,
    });
    expect(JSON.stringify(events), 'no link').not.to.include('http');
  });

  it('replace the former method, of the same customer', async () => {
    const account = await platform.account();
    const customers = stripe().customers.size;
    await addCard(account, stripe());
    await addCard(account, stripe(), '4000002500003155');
    expect(stripe().customers.size).to.equal(customers + 1);
    const { setupId } = await account.svc.call('billing.payment.setup', {});
    expect(await account.svc.call('billing.payment.confirm', { setupId })).to.include({ status: 'pending' });
  });

  it('tell that a method was refused, or that the page expired', async () => {
    const refused = await start();
    await stripe().enterCard(refused.url, '1');
    expect(await refused.svc.call('billing.payment.confirm', { setupId: refused.setupId })).to.deep.equal({
      paymentMethod: null,
      status: 'failed',
    });
    const event = (await platform.events(refused.live)).at(-1);
    expect(event).to.deep.include({ type: 'billing.payment.failed' });
    expect(event?.data).to.deep.equal({ reason: 'Your card was declined.', invoice: null });
    const expired = await start();
    stripe().expireSessions();
    expect(await expired.svc.call('billing.payment.confirm', { setupId: expired.setupId })).to.include({
      status: 'failed',
    });
  });

  it('are for owners, and for the account’s own setups', async () => {
    const { svc, setupId } = await start();
    const admin = await adminOf(platform, { svc });
    expect(await admin.refusal('billing.payment.setup', {})).to.include({ code: 'owner_only', status: 403 });
    const other = await platform.account();
    expect(await other.svc.refusal('billing.payment.confirm', { setupId })).to.include({ code: 'not_found' });
    expect(await svc.refusal('billing.payment.confirm', { setupId: randomUUID() })).to.include({ code: 'not_found' });
    expect(await svc.refusal('billing.payment.setup', { returnUrl: 'ftp://example.com' })).to.include({
      code: 'invalid_input',
    });
  });

  it('answer provider_failed where the provider does not answer; nothing is left pending', async () => {
    const { svc } = await platform.account();
    for (const path of [/customers$/, /sessions$/]) {
      stripe().fail({ path, status: 500 });
      expect(await svc.refusal('billing.payment.setup', {})).to.include({ status: 502, code: 'provider_failed' });
    }
    const { setupId } = await start();
    expect(setupId).to.be.a('string');
    const working = await start();
    stripe().fail({ path: /sessions\//, status: 429 });
    expect(await working.svc.refusal('billing.payment.confirm', { setupId: working.setupId })).to.include({
      code: 'provider_failed',
    });
    expect(await working.svc.call('billing.payment.confirm', { setupId: working.setupId })).to.include({
      status: 'pending',
    });
  });

  it('create another customer where the provider does not know the former one', async () => {
    const account = await platform.account();
    await addCard(account, stripe());
    await platform.running.services.database.run(
      "UPDATE billing_account SET customer_ref = 'cus_of_another_account' WHERE account_id = UNHEX(REPLACE(?, '-', ''))",
      [account.accountId],
    );
    await addCard(account, stripe());
  });

  it('end with the page: one that nobody opened fails after its time', async () => {
    const { svc, setupId } = await start();
    await platform.running.services.database.run(
      "UPDATE billing_payment_setup SET provider_id = NULL WHERE id = UNHEX(REPLACE(?, '-', ''))",
      [setupId],
    );
    platform.clock.advance(days(2));
    expect(await svc.call('billing.payment.confirm', { setupId })).to.include({ status: 'failed' });
  });
});
