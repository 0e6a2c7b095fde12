import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { parsePaymentUrl } from '#plugins/billing/settings/payment-url.js';
import { PaymentRefused, PaymentUnavailable, type PaymentProvider } from '#plugins/billing/providers/provider.js';
import { microsOfStripe, stripeAmount } from '#plugins/billing/providers/stripe/amounts.js';
import { lazyStripe } from '#plugins/billing/providers/stripe/provider.js';
import { startStripe, type StripeFake } from '#test/support/stripe.js';

const returnUrl = 'https://svc.example/back';
const usd = 1_000_000n;

describe('Stripe as the payment provider, through its own client', () => {
  let stripe: StripeFake;
  let provider: PaymentProvider;
  before(async () => {
    stripe = await startStripe();
    const address = parsePaymentUrl(stripe.paymentUrl);
    if (!address) throw new Error('The fake has no address.');
    provider = lazyStripe(address);
  });
  after(() => stripe.close());

  /** A customer who has entered a card. */
  async function payer(card = '4242424242424242') {
    const customerRef = await provider.createCustomer({
      key: randomUUID(),
      accountId: randomUUID(),
      name: 'Acme',
      email: 'billing@example.com',
    });
    const expiresAt = new Date(Date.now() + 3_600_000);
    const setup = { setupId: randomUUID(), customerRef, currency: 'USD', expiresAt, returnUrl };
    const { providerId, url } = await provider.startSetup(setup);
    expect(await provider.readSetup(providerId)).to.deep.equal({ status: 'pending' });
    expect(await provider.startSetup(setup), 'a repeat starts no other').to.deep.equal({ providerId, url });
    expect(await stripe.enterCard(url, card)).to.equal(returnUrl);
    const state = await provider.readSetup(providerId);
    if (state.status !== 'active') throw new Error(`The setup is ${state.status}.`);
    return { customerRef, methodRef: state.methodRef, method: state.method };
  }
  async function payment(of: { customerRef: string; methodRef: string }, amount = 14n * usd) {
    const attemptId = randomUUID();
    const wanted = { attemptId, key: attemptId, ...of, amount, currency: 'USD', description: 'Invoice SVC-000001' };
    const providerId = await provider.createPayment(wanted);
    return { providerId, wanted, methodRef: of.methodRef, returnUrl, ownerIsThere: false };
  }

  it('adds a card, and charges it once, however often it is asked', async () => {
    const of = await payer();
    expect(of.method).to.deep.equal({ brand: 'visa', last4: '4242', expires: '2031-04' });
    const { wanted, ...confirmation } = await payment(of);
    expect(await provider.createPayment(wanted), 'one payment for an attempt').to.equal(confirmation.providerId);
    expect(await provider.readPayment(confirmation.providerId)).to.deep.equal({ status: 'unconfirmed' });
    for (let times = 0; times < 3; times += 1)
      expect(await provider.confirmPayment(confirmation)).to.deep.equal({ status: 'succeeded' });
    expect(await provider.readPayment(confirmation.providerId)).to.deep.equal({ status: 'succeeded' });
    expect(stripe.charges()).to.deep.equal([{ amount: 1400, currency: 'usd', customer: of.customerRef }]);
    expect(await provider.cancelPayment(confirmation.providerId), 'too late').to.deep.equal({ status: 'succeeded' });
  });

  it('says why a charge was declined, and why a method could not be added', async () => {
    const declined = await payment(await payer('4000000000000341'));
    expect(await provider.confirmPayment(declined)).to.deep.equal({
      status: 'failed',
      reason: 'Your card was declined.',
      code: 'declined',
    });
    const customerRef = await provider.createCustomer({ key: randomUUID(), accountId: '', name: 'Acme', email: null });
    const facts = { customerRef, currency: 'USD', expiresAt: new Date(Date.now() + 3_600_000), returnUrl };
    const refused = await provider.startSetup({ setupId: randomUUID(), ...facts });
    await stripe.enterCard(refused.url, '1');
    expect(await provider.readSetup(refused.providerId)).to.deep.equal({
      status: 'failed',
      reason: 'Your card was declined.',
      code: null,
    });
    const expired = await provider.startSetup({ setupId: randomUUID(), ...facts });
    stripe.expireSessions();
    expect(await provider.readSetup(expired.providerId)).to.include({ status: 'failed' });
  });

  it('asks the owner where the bank does, and charges once they have confirmed', async () => {
    const confirmation = await payment(await payer('4000002500003155'));
    expect(await provider.confirmPayment(confirmation)).to.deep.equal({ status: 'requires_action', url: null });
    const there = await provider.confirmPayment({ ...confirmation, ownerIsThere: true });
    if (there.status !== 'requires_action' || there.url === null) throw new Error('There is no page of the bank.');
    const answered = await fetch(there.url, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ answer: 'yes' }),
    });
    expect(answered.headers.get('location')).to.equal(returnUrl);
    expect(await provider.readPayment(confirmation.providerId)).to.deep.equal({ status: 'succeeded' });
  });

  it('shows what takes days, and gives up what is not decided', async () => {
    const slow = await payment(await payer('4000000000000077'));
    expect(await provider.confirmPayment(slow)).to.deep.equal({ status: 'processing' });
    stripe.decide('failed');
    expect(await provider.readPayment(slow.providerId)).to.deep.equal({
      status: 'failed',
      reason: 'The payment failed.',
      code: null,
    });
    const given = await payment(await payer());
    expect(await provider.cancelPayment(given.providerId)).to.include({ status: 'failed' });
    expect(await provider.confirmPayment(given), 'it cannot be charged any more').to.include({ status: 'failed' });
    expect(await provider.cancelPayment(given.providerId), 'twice').to.include({ status: 'failed' });
  });

  it('tells what may be repeated from what was refused', async () => {
    const of = await payer();
    const unavailable = async (ask: () => Promise<unknown>): Promise<void> => {
      const error = await ask().then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).to.be.instanceOf(PaymentUnavailable);
    };
    for (const status of [429, 500]) {
      stripe.fail({ path: /payment_intents/, status });
      await unavailable(() => payment(of));
    }
    // Only a request with another key can succeed after a stored failure.
    const stored = async (wanted: Parameters<PaymentProvider['createPayment']>[0]): Promise<unknown> =>
      provider.createPayment(wanted).catch((error: unknown) => error instanceof PaymentUnavailable && error.isStored);
    const key = randomUUID();
    const wanted = { attemptId: key, key, ...of, amount: usd, currency: 'USD', description: 'Invoice SVC-000003' };
    stripe.fail({ path: /payment_intents$/, status: 500 });
    expect(await stored(wanted), 'the first answer').to.equal(false);
    expect(await stored(wanted), 'the stored one').to.equal(true);
    expect(await stored({ ...wanted, amount: 2n * usd }), 'other parameters').to.equal(true);
    expect(await stored({ ...wanted, key: randomUUID() }), 'another key').to.match(/^pi_/);
    const wrongKey = lazyStripe({
      key: 'sk_test_wrong',
      host: '127.0.0.1',
      port: Number(new URL(stripe.url).port),
      protocol: 'http',
    });
    await unavailable(() => wrongKey.readPayment('pi_1'));
    const before = stripe.intents.size;
    stripe.fail({ path: /payment_intents$/, breaks: 'after' });
    await payment(of);
    expect(stripe.intents.size, 'the client repeats a broken request with the same key').to.equal(before + 1);
    const gone = await payment({ ...of, customerRef: 'cus_gone' }).catch((error: unknown) => error);
    expect(gone).to.be.instanceOf(PaymentRefused).that.includes({ unknownCustomer: true });
    const small = await payment(of, usd / 4n).catch((error: unknown) => error);
    expect(small).to.be.instanceOf(PaymentRefused).that.includes({ unknownCustomer: false });
    expect(provider.smallestAmount('USD')).to.equal(usd / 2n);
    const large = await payment(of, 1_000_000n * usd).catch((error: unknown) => error);
    expect(large).to.be.instanceOf(PaymentRefused);
    // An ordinary invoice in rupiahs: Stripe decides what is too much of a currency.
    const rupiahs = { ...wanted, key: randomUUID(), currency: 'IDR', amount: 25_000_000n * usd };
    const intent = await provider.createPayment(rupiahs);
    expect(stripe.intents.get(intent)).to.include({ amount: 2_500_000_000, currency: 'idr' });
  });

  it('takes amounts in the unit that Stripe does for each currency', () => {
    expect(stripeAmount(12_340_000n, 'USD')).to.equal(1234);
    expect(stripeAmount(1_234_000_000n, 'JPY')).to.equal(1234);
    expect(stripeAmount(1_234_000_000n, 'HUF'), 'no coins, but hundredths at Stripe').to.equal(123_400);
    expect(provider.smallestAmount('JPY')).to.equal(50n * usd);
    expect(stripeAmount(5_124_000n, 'KWD'), 'thousandths, the last digit 0').to.equal(5120);
    expect(stripeAmount(5_126_000n, 'BHD')).to.equal(5130);
    expect(microsOfStripe(5120, 'KWD')).to.equal(5_120_000n);
    expect(provider.smallestAmount('KRW'), 'more than Stripe’s minimum of the settlement currency').to.equal(
      750n * usd,
    );
    expect(provider.smallestAmount('KWD')).to.equal(usd / 5n);
  });

  it('tells refusals that are about the payer from those that only the operator can end', async () => {
    const of = await payer();
    const refusedAs = async (problem: { message: string; code?: string; param?: string }): Promise<unknown> => {
      stripe.refuseCreation(problem);
      const error = await payment(of).catch((reason: unknown) => reason);
      stripe.refuseCreation(null);
      return error instanceof PaymentRefused ? error.about : error;
    };
    const cases = [
      ['deployment', { message: 'Invalid currency: xyz', param: 'currency' }],
      ['deployment', { message: 'Your account cannot currently make live charges.' }],
      ['deployment', { message: 'Activate the method first.', code: 'payment_method_unactivated' }],
      ['deployment', { message: 'Too much', code: 'amount_too_large', param: 'amount' }],
      ['too_small', { message: 'Amount must convert to at least 50 cents.', code: 'amount_too_small' }],
      ['payer', { message: 'No such PaymentMethod', code: 'resource_missing', param: 'payment_method' }],
      ['payer', { message: 'The provided PaymentMethod was detached from a Customer. It may not be used again.' }],
      ['customer', { message: 'No such customer', code: 'resource_missing', param: 'customer' }],
    ] as const;
    for (const [about, problem] of cases) expect(await refusedAs(problem), problem.message).to.equal(about);
  });

  it('reads SVC_PAYMENT_URL, and never repeats its key', () => {
    expect(parsePaymentUrl('manual')).to.equal(null);
    expect(parsePaymentUrl('stripe://sk_live_aB3')).to.deep.equal({
      key: 'sk_live_aB3',
      host: 'api.stripe.com',
      port: 443,
      protocol: 'https',
    });
    expect(parsePaymentUrl('stripe://rk_test_1@stripe.example:8443')).to.include({ protocol: 'https', port: 8443 });
    expect(parsePaymentUrl('stripe://sk_test_1@localhost:1')).to.include({ protocol: 'http', port: 1 });
    for (const wrong of [
      '',
      'stripe',
      'stripe://',
      'stripe://pk_live_aB3',
      'https://sk_live_aB3',
      'stripe://sk_live_aB3:x@h',
      'stripe://sk_live_aB3/x',
    ])
      expect(() => parsePaymentUrl(wrong), wrong)
        .to.throw(/must be stripe:\/\//)
        .with.property('message')
        .that.does.not.include('aB3');
  });
});
