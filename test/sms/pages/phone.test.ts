import { request as httpRequest } from 'node:http';
import { expect } from 'chai';
import { logProvider } from '#plugins/sms/providers/log/provider.js';
import { apiAt } from '#test/support/api.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';

const phone = '+4915123456789';
const conversation = `/dev/phone?phone=${encodeURIComponent(phone)}`;

describe('the phone page', () => {
  const platform = usePlatform();
  before(async () => {
    const text = { messageId: 'm', from: '+15005550006', to: phone, statusUrl: '' };
    await logProvider(platform.running.services).send({ ...text, body: '<script>alert(1)</script> 271828' });
  });

  const visit = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${platform.running.address}${path}`, { redirect: 'manual', ...init });
  const post = (fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
    visit(conversation, { method: 'POST', body: new URLSearchParams(fields), headers });

  it('shows texts as text, and where they came from', async () => {
    const seen = await visit(conversation);
    const body = await seen.text();
    expect(seen.status).to.equal(200);
    expect(body)
      .to.contain('&lt;script>alert(1)&lt;/script>')
      .and.contain('from +15005550006')
      .and.contain('1 segment, GSM-7');
    expect(seen.headers.get('content-security-policy'))
      .to.contain("default-src 'none'")
      .and.contain("connect-src 'self'");
    expect(seen.headers.get('cache-control')).to.equal('no-store');
  });

  it('is hidden from other machines: through a proxy, and under another name', async () => {
    for (const header of ['Forwarded', 'X-Forwarded-For', 'Via']) {
      const seen = await visit(conversation, { headers: { [header]: '127.0.0.1' } });
      expect(seen.status, header).to.equal(404);
      expect(await seen.text()).not.to.contain('271828');
    }
    const { port } = new URL(platform.running.address);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path: conversation, headers: { host: 'attacker.example' } };
      httpRequest(options, (answer) => resolve(answer.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).to.equal(404);
  });

  it('takes no forms that other sites post', async () => {
    const answer = await post({ do: 'clear' }, { origin: 'https://attacker.example' });
    expect(answer.status).to.equal(403);
    expect(await (await visit(conversation)).text()).to.contain('271828');
  });

  it('refuses what it does not know, an empty text and one that is too long', async () => {
    expect((await post({ do: 'sell' })).status).to.equal(400);
    expect((await post({ do: 'write', number: '+15005550006', body: '  ' })).status).to.equal(400);
    expect((await post({ do: 'write', number: '+15005550006', body: 'x'.repeat(1_601) })).status).to.equal(400);
    expect((await visit('/dev/phone?phone=%2B49')).status).to.equal(404);
  });

  itNeeding('audience', 'auth')('lets sign-in texts of test environments be answered', async () => {
    const { keys, svcTest } = await platform.account();
    const app = apiAt(
      () => platform.running.address,
      () => keys.test.publishable,
      () => platform.running.registry,
    );
    await svcTest.call('auth.settings.set', { methods: { sms: { enabled: true } } });
    await app.call('auth.signin.start', { phone: '+4915123456700' });
    await platform.settled();
    const path = `/dev/phone?phone=${encodeURIComponent('+4915123456700')}`;
    const body = await (await visit(path)).text();
    expect(body)
      .to.match(/\d{6} is your [^<]* code/)
      .and.contain('System')
      .and.contain('Test');
    const fields = { word: 'STOP', number: /name="number" value="([^"]+)"/.exec(body)?.[1] ?? '' };
    const posted = await visit(path, { method: 'POST', body: new URLSearchParams(fields) });
    expect(posted.status).to.equal(303);
    expect((await svcTest.call('sms.inbound.list', {})).inbound[0]).to.include({ keyword: 'stop' });
    const { suppressions } = await svcTest.call('audience.suppression.list', { phone: '+4915123456700' });
    expect(suppressions[0]?.reason).to.equal('stop');
  });

  it('is on the start page', async () => {
    expect(await (await visit('/', { headers: { accept: 'text/html' } })).text()).to.contain('href="/dev/phone"');
  });
});

describe('the phone page with a provider', () => {
  const platform = usePlatform({
    settings: () => ({
      SVC_SMS_URL: `twilio://AC${'0'.repeat(32)}:token@api.twilio.com`,
      SVC_SMS_ALLOWED_COUNTRIES: 'US',
    }),
  });

  it('says what is kept, and lets nobody write: the answer would leave', async () => {
    const seen = await fetch(`${platform.running.address}/dev/phone`);
    const body = await seen.text();
    expect(body).to.contain('SVC_SMS_URL').and.contain('only the sign-in texts').and.not.contain('name="body"');
    const fields = new URLSearchParams({ do: 'write', phone, number: '+15005550006', body: 'STOP' });
    const posted = await fetch(`${platform.running.address}/dev/phone`, { method: 'POST', body: fields });
    expect(posted.status).to.equal(400);
    expect(await platform.count('sms_inbound')).to.equal(0);
  });
});
