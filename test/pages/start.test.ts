import { expect } from 'chai';
import { at } from '#test/support/json.js';
import { usePlatform, type TestPlatform } from '#test/support/platform.js';
import { useDurableServer } from '#test/kernel/support/durable.js';
import { itNeeding } from '#test/support/products.js';

/** What browsers send. */
const browser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

/** What programs send. */
const programs: readonly Record<string, string>[] = [{}, { Accept: '*/*' }, { Accept: 'application/json' }];

const visitor =
  (platform: TestPlatform) =>
  async (path: string, headers: Record<string, string> = browser): Promise<Response & { page: string }> => {
    const answer = await fetch(`${platform.running.address}${path}`, { headers });
    return Object.assign(answer, { page: await answer.text() });
  };

describe('GET /', () => {
  const platform = usePlatform();
  const visit = visitor(platform);

  itNeeding(
    'audience',
    'auth',
    'billing',
    'email',
    'sms',
  )('tells a person what this is and where to go, with a first call', async () => {
    const { status, headers, page } = await visit('/');
    expect([status, headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8']);
    expect(page)
      .to.contain('This is an svc server')
      .and.contain('Here are account, audience, auth, billing, developers, email and sms.')
      .and.contain('href="/docs"')
      .and.contain('href="/openapi.json"')
      .and.contain('href="/dev/mailbox"')
      .and.contain('href="/dev/phone"')
      .and.contain('first-run.json')
      .and.contain(`curl ${platform.running.services.deployment.baseUrl}/account/get`);
    expect(headers.get('content-security-policy')).to.contain("default-src 'none'").and.not.contain('script-src');
    for (const path of ['/docs', '/openapi.json', '/clients', '/dev/mailbox', '/dev/phone'])
      expect((await visit(path)).status).to.equal(200);
  });

  it('tells a program the same as JSON', async () => {
    const { baseUrl } = platform.running.services.deployment;
    for (const headers of programs) {
      const answer = await visit('/', headers);
      expect(answer.headers.get('vary')).to.contain('Accept');
      const found: unknown = JSON.parse(answer.page);
      expect(found).to.include({
        service: 'svc',
        docs: `${baseUrl}/docs`,
        reference: `${baseUrl}/docs/reference`,
        openapi: `${baseUrl}/openapi.json`,
      });
      expect(at(found, 'products')).to.include('account');
    }
  });

  it('shows the mailbox only to those who can open it', async () => {
    expect((await visit('/', { ...browser, 'X-Forwarded-For': '10.0.0.1' })).page).to.not.contain('/dev/mailbox');
  });

  it('refuses calls, as every address without an operation does', async () => {
    const refusal = await platform.api.refusal('', {});
    expect(refusal).to.include({ status: 404, code: 'unknown_operation' });
  });
});

describe('GET / in production', () => {
  const server = useDurableServer();
  const platform = usePlatform({
    settings: async () => {
      await server.makeDurable();
      return {
        SVC_BASE_URL: 'https://svc.example.com',
        SVC_SMTP_URL: 'smtp://127.0.0.1:9',
        SVC_OWNER_EMAIL: 'ada@example.com',
      };
    },
  });

  it('names neither the mailbox nor files of the server', async () => {
    const { page } = await visitor(platform)('/');
    expect(page)
      .to.contain('curl https://svc.example.com/')
      .and.not.contain('/dev/mailbox')
      .and.not.contain('first-run.json');
  });
});

describe('an address that is not a page', () => {
  const visit = visitor(usePlatform());

  it('says so to a person, in the reader’s language, and leads on', async () => {
    const { status, headers, page } = await visit('/nothing/here', { ...browser, 'Accept-Language': 'de' });
    expect([status, headers.get('content-type')]).to.deep.equal([404, 'text/html; charset=utf-8']);
    expect(page)
      .to.contain('<h1>Seite nicht gefunden</h1>')
      .and.contain('<a href="/docs/reference">Referenz</a>')
      .and.contain('<a href="/">Über diesen Server</a>')
      .and.contain(headers.get('x-request-id') ?? 'none');
  });

  itNeeding('email')('of an operation says that it is for programs', async () => {
    const { status, headers, page } = await visit('/email/send');
    expect([status, headers.get('allow')]).to.deep.equal([405, 'POST']);
    expect(page)
      .to.contain('<h1>This address is for programs</h1>')
      .and.contain('href="/docs/reference/email#email.send"');
  });

  itNeeding('email')('answers programs with the error envelope', async () => {
    for (const [path, code] of [
      ['/nothing/here', 'unknown_operation'],
      ['/email/send', 'method_not_allowed'],
    ] as const)
      for (const headers of programs)
        expect(at(JSON.parse((await visit(path, headers)).page), 'error', 'code')).to.equal(code);
  });
});
