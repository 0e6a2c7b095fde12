import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { dkimSign } from 'mailauth';
import { startDns, type TestDns } from '#test/support/dns.js';
import { usePlatform } from '#test/support/platform.js';
import { inboundSecret, rawMail, receive } from './support.js';

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'der' },
});

/** Signed by example.com. */
async function signed(raw: string, signingDomain = 'example.com'): Promise<string> {
  const by = { signingDomain, selector: 's1', privateKey };
  // The types of mailauth do not know signatureData.
  const options = { ...by, signatureData: [by] };
  const { signatures } = await dkimSign(raw, options);
  expect(signatures).to.contain('DKIM-Signature');
  return `${signatures.trim()}\r\n${raw}`;
}

describe('What received mail says about its sender', () => {
  const dns: { running?: TestDns } = {};
  const platform = usePlatform({
    async settings() {
      dns.running = await startDns();
      const key = `v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`;
      for (const domain of ['example.com', 'other.example']) dns.running.txt(`s1._domainkey.${domain}`, key);
      dns.running.txt('example.com', 'v=spf1 ip4:192.0.2.0/24 -all');
      dns.running.txt('soft.example', 'v=spf1 ~all');
      for (const domain of ['example.com', 'nospf.example']) dns.running.txt(`_dmarc.${domain}`, 'v=DMARC1; p=reject');
      return { SVC_INBOUND_SECRET: inboundSecret, SVC_DNS_SERVERS: dns.running.server };
    },
  });
  after(() => dns.running?.close());
  afterEach(() => {
    dns.running?.fail(null);
    dns.running?.silence(null);
  });

  const spamOf = async (raw: string, given: { ip?: string; from?: string } = {}): Promise<string> => {
    const account = await platform.account();
    const { ip, from = 'ada@example.com' } = given;
    const headers: Record<string, string> =
      ip === undefined ? {} : { 'x-svc-client-ip': ip, 'x-svc-client-helo': 'mx.example.com' };
    const inboundId = await receive(platform, account, raw, { from, headers });
    const { spam } = (await account.svc.call('email.inbound.get', { inboundId })).inbound;
    return `spf ${spam.spf}, dkim ${spam.dkim}, dmarc ${spam.dmarc}`;
  };

  it('passes where the server is allowed, the signature valid and the domain the same', async () => {
    expect(await spamOf(await signed(rawMail()), { ip: '192.0.2.9' })).to.equal('spf pass, dkim pass, dmarc pass');
    expect(await spamOf(rawMail(), { ip: '192.0.2.9' }), 'unsigned').to.equal('spf pass, dkim none, dmarc pass');
    expect(await spamOf(await signed(rawMail())), 'from an unknown server').to.equal('spf none, dkim pass, dmarc pass');
  });

  it('fails where it is not', async () => {
    expect(await spamOf(rawMail(), { ip: '198.51.100.1' })).to.equal('spf fail, dkim none, dmarc fail');
    const changed = (await signed(rawMail())).replace('broken', 'whole');
    expect(await spamOf(changed, { ip: '198.51.100.1' })).to.equal('spf fail, dkim fail, dmarc fail');
    const byAnother = await signed(rawMail(), 'other.example');
    expect(await spamOf(byAnother, { ip: '198.51.100.1' }), 'signed by another domain').to.equal(
      'spf fail, dkim pass, dmarc fail',
    );
    expect(await spamOf(rawMail(), { ip: '192.0.2.9', from: 'a@soft.example' })).to.equal(
      'spf fail, dkim none, dmarc fail',
    );
    const noSpf = await spamOf(rawMail({ From: 'a@nospf.example' }), { ip: '192.0.2.9', from: 'a@nospf.example' });
    expect(noSpf, 'without SPF').to.equal('spf none, dkim none, dmarc fail');
    const two = rawMail({ From: 'a@example.com, b@other.example' });
    expect(await spamOf(two, { ip: '192.0.2.9' }), 'two authors').to.equal('spf pass, dkim none, dmarc fail');
  });

  it('is none where nothing is published', async () => {
    const raw = rawMail({ From: 'bob@nothing.example' });
    expect(await spamOf(raw, { ip: '192.0.2.9', from: 'bob@nothing.example' })).to.equal(
      'spf none, dkim none, dmarc none',
    );
  });

  it('is none where DNS cannot be asked', async () => {
    dns.running?.fail('all');
    expect(await spamOf(await signed(rawMail()), { ip: '192.0.2.9' })).to.equal('spf none, dkim none, dmarc none');
  });

  it('does not fail DMARC where SPF of the author’s domain could not be checked', async function () {
    this.timeout(30_000);
    const changed = (await signed(rawMail())).replace('broken', 'whole');
    expect(await spamOf(changed), 'from an unknown server').to.equal('spf none, dkim fail, dmarc none');
    expect(await spamOf(changed, { from: '<>' }), 'of the null sender').to.equal('spf none, dkim fail, dmarc none');
    dns.running?.silence(['example.com']);
    expect(await spamOf(changed, { ip: '192.0.2.9' }), 'without an answer in time').to.equal(
      'spf none, dkim fail, dmarc none',
    );
    dns.running?.fail(['s1._domainkey.example.com']);
    const both = await signed(await signed(rawMail()), 'other.example');
    expect(await spamOf(both, { ip: '192.0.2.9', from: 'a@soft.example' }), 'without the key of the author').to.equal(
      'spf fail, dkim pass, dmarc none',
    );
  });

  it('fails DMARC where only other domains gave no answer', async () => {
    const elsewhere = { ip: '192.0.2.9', from: 'a@evil.example' };
    expect(await spamOf(rawMail(), { from: 'a@evil.example' }), 'from an unknown server').to.equal(
      'spf none, dkim none, dmarc fail',
    );
    dns.running?.fail(['evil.example', 's1._domainkey.other.example']);
    expect(await spamOf(rawMail(), elsewhere), 'SPF').to.equal('spf none, dkim none, dmarc fail');
    const byAnother = await signed(rawMail(), 'other.example');
    expect(await spamOf(byAnother, elsewhere), 'DKIM').to.equal('spf none, dkim none, dmarc fail');
  });

  it('asks for the keys of ten signatures at most', async () => {
    const line = (n: number): string =>
      `DKIM-Signature: v=1; a=rsa-sha256; d=many.example; s=k${n}; h=from; bh=AA==; b=AA==\r\n`;
    const raw = Array.from({ length: 60 }, (_, n) => line(n)).join('') + rawMail();
    expect(await spamOf(raw)).to.match(/dkim fail/);
    const asked = (dns.running?.asked ?? []).filter((name) => name.endsWith('_domainkey.many.example'));
    expect(asked).to.have.length(10);
  });
});
