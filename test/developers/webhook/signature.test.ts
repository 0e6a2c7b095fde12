import { expect } from 'chai';
import { execFileSync, spawnSync } from 'node:child_process';
import { verifyWebhook } from '#core/surfaces/sdk/verify-webhook.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { answering, endpointAt, isSignedWith, quiet, rename, signatureOf, useReceivers } from './support.js';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe('The signature of a delivery', () => {
  const platform = usePlatform();
  const receiverOf = useReceivers();

  it('has the form t=…,v1=…: the HMAC of t, a dot and the raw body, keyed with the whole secret', async () => {
    const receiver = await receiverOf();
    const { svcTest } = await platform.account();
    const { secret } = await endpointAt(svcTest, receiver);
    for (const name of ['Plain', 'Zoë 🛒 日本', 'Line\u2028break "quoted" \\ / <b>', 'Soft\u00adhyphen'])
      await rename(svcTest, name);
    for (const webhook of await receiver.waitFor(4)) {
      const header = String(webhook.headers['svc-signature']);
      expect(header).to.match(/^t=\d{1,12},v1=[0-9a-f]{64}$/);
      expect(isSignedWith(secret, webhook)).to.equal(true);
      expect(isSignedWith(secret.replace('svc_wh_', ''), webhook)).to.equal(false);
      expect(isSignedWith(secret, { ...webhook, body: `${webhook.body} ` })).to.equal(false);
      const now = platform.clock.now().getTime();
      expect(verifyWebhook(Buffer.from(webhook.body), header, secret, { now })).to.equal(Math.floor(now / 1000));
    }
  });

  it('can be verified with openssl', async function () {
    if (!hasOpenssl) this.skip();
    const receiver = await receiverOf();
    const { svcTest } = await platform.account();
    const { secret } = await endpointAt(svcTest, receiver);
    await rename(svcTest, 'Zoë 🛒 100%s');
    const [webhook] = await receiver.waitFor(1);
    const { t, v1 } = signatureOf(webhook?.headers ?? {});
    const line = `printf '%s.%s' "$t" "$body" | openssl dgst -sha256 -hmac "$secret"`;
    const env = { ...process.env, t, body: webhook?.body, secret };
    expect(execFileSync('sh', ['-c', line], { env, encoding: 'utf8' }).trim().split(/[ =]+/).at(-1)).to.equal(v1);
  });

  it('is computed at the attempt: a retry signs the same body with its own time', async () => {
    const receiver = await receiverOf();
    receiver.answer = answering(500);
    const { svcTest } = await platform.account();
    const { secret } = await endpointAt(svcTest, receiver);
    await rename(svcTest, 'Retried');
    await receiver.waitFor(1);
    await quiet(platform);
    platform.clock.advance(minutes(1));
    const [first, second] = await receiver.waitFor(2);
    if (!first || !second) throw new Error('Expected two deliveries.');
    expect(second.body).to.equal(first.body);
    expect(Number(signatureOf(second.headers).t) - Number(signatureOf(first.headers).t)).to.equal(60);
    expect([isSignedWith(secret, first), isSignedWith(secret, second)]).to.deep.equal([true, true]);
    const now = platform.clock.now().getTime();
    expect(first.headers['svc-event-id']).to.equal(first.event.id);
    expect(second.headers['svc-event-id']).to.equal(first.event.id);
    expect(second.headers['svc-delivery-id']).not.to.equal(first.headers['svc-delivery-id']);
    expect(verifyWebhook(second.body, String(second.headers['svc-signature']), secret, { now })).to.be.a('number');
  });

  it('differs between endpoints for the same event', async () => {
    const [one, other] = [await receiverOf(), await receiverOf()];
    const { svcTest } = await platform.account();
    const [first, second] = [await endpointAt(svcTest, one), await endpointAt(svcTest, other)];
    await rename(svcTest, 'For two');
    const [[a], [b]] = [await one.waitFor(1), await other.waitFor(1)];
    if (!a || !b) throw new Error('Expected two deliveries.');
    expect(a.body).to.equal(b.body);
    expect([isSignedWith(first.secret, a), isSignedWith(second.secret, b)]).to.deep.equal([true, true]);
    expect([isSignedWith(first.secret, b), isSignedWith(second.secret, a)]).to.deep.equal([false, false]);
  });
});
