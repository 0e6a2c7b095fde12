import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { expect } from 'chai';
import { chapters } from '#core/surfaces/docs/contents.js';
import { userWords } from '#core/surfaces/docs/user-words.js';
import { at, recordAt } from '#test/support/json.js';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { pageReader } from '../../reference/support.js';

const idsIn = (body: string): Set<string> =>
  new Set([...body.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id.replaceAll('&amp;', '&')));
const linksIn = (body: string): string[] =>
  [...body.matchAll(/\s(?:href|src|data-index|data-search)="([^"]*)"/g)].map(([, to = '']) =>
    to.replaceAll('&amp;', '&'),
  );

describe('The documentation as a site', function () {
  this.timeout(60_000);
  needProducts('audience', 'auth', 'billing', 'email', 'sms');
  const platform = usePlatform();
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    platform.api.raw(path, undefined, { method, headers: { 'Accept-Encoding': 'identity', ...headers } });

  it('serves pages whose policy allows only the site’s own files, and which browsers revalidate', async () => {
    for (const path of [
      '/docs',
      '/docs/using',
      '/docs/reference/email',
      '/docs/errors/rate_limited',
      '/docs/settings',
    ]) {
      const { status, headers, text } = await get(path);
      expect([status, headers.get('content-type')], path).to.deep.equal([200, 'text/html; charset=utf-8']);
      expect(headers.get('content-security-policy')).to.equal(
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; " +
          "form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
      );
      expect(headers.get('cache-control')).to.equal('no-cache');
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      expect(headers.get('referrer-policy')).to.equal('no-referrer');
      expect(text).to.not.match(/\sstyle="|<style|\son\w+="/);
      expect(text.match(/<h1/g)).to.have.length(1);
      const tag = headers.get('etag') ?? '';
      for (const given of [tag, `W/${tag}`, `"old", ${tag}`]) {
        const again = await get(path, { 'If-None-Match': given });
        expect([again.status, again.text, again.headers.get('etag')], given).to.deep.equal([304, '', tag]);
      }
      expect((await get(path, { 'If-None-Match': '"old"' })).status).to.equal(200);
    }
  });

  it('has no broken link and no missing anchor on any page, and loads nothing from elsewhere', async () => {
    const bodies = new Map<string, string>();
    const broken: string[] = [];
    const waiting = ['/docs'];
    // Pages that other surfaces answer.
    const others = new Set(['/clients', '/console', '/openapi.json', '/llms.txt']);
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (bodies.has(path)) continue;
      const { status, headers, text } = await get(path);
      bodies.set(path, text);
      if (status !== 200) broken.push(path);
      if (headers.get('content-type') !== 'text/html; charset=utf-8') continue;
      for (const to of linksIn(text)) {
        const [page = ''] = to.split('#');
        if (page.startsWith('/') && !others.has(page)) waiting.push(page);
        else if (/^[a-z]+:/.test(to)) expect(to, path).to.match(/^(?:https?|mailto):|^data:,$/);
      }
    }
    expect(broken).to.deep.equal([]);
    const anchors = new Map([...bodies].map(([path, body]) => [path, idsIn(body)] as const));
    const missing = [...bodies].flatMap(([path, body]) =>
      linksIn(body)
        .filter((to) => to.includes('#') && !/^[a-z]+:/.test(to))
        .filter((to) => {
          const [page = '', anchor = ''] = to.split('#');
          return !anchors.get(page === '' ? path : page)?.has(decodeURIComponent(anchor));
        })
        .map((to) => `${path}: ${to}`),
    );
    expect(missing).to.deep.equal([]);
    const { catalogue } = platform.running.services;
    for (const code of Object.keys(catalogue.enabledErrors))
      expect(bodies.has(`/docs/errors/${code}`), code).to.equal(true);
    for (const product of catalogue.products.keys()) expect(bodies.has(`/docs/reference/${product}`)).to.equal(true);
    for (const [path, body] of bodies) {
      const remote = [...body.matchAll(/<(?:link|script|img|source|iframe)[^>]*\s(?:href|src)="(?!\/|data:)/g)];
      expect(remote, path).to.deep.equal([]);
    }
  });

  it('lists every document of docs/, and turns links between documents into links between pages', async () => {
    const listed = chapters.flatMap(({ documents }) => documents.map(({ file }) => file));
    const files = readdirSync(new URL('../../../docs', import.meta.url)).filter((name) => name.endsWith('.md'));
    expect(listed).to.include.members(files.map((name) => `docs/${name}`));
    for (const { documents } of chapters)
      for (const { slug } of documents) expect((await get(`/docs/${slug}`)).status, slug).to.equal(200);
    const using = (await get('/docs/using')).text;
    expect(using)
      .to.contain('<a href="/docs/domains">Sending domains</a>')
      .and.contain('<a href="/docs/start#a-first-mail-in-five-minutes">')
      .and.contain(
        '<a href="/docs/reference/audience#audience.contact.import"><code>audience.contact.import</code></a>',
      )
      // Programs of the repository are not on the site.
      .and.not.contain('href="../');
    expect(using).to.not.match(/href="(?!\/docs\/using\.md")[^":]*\.md[#"]/);
    expect((await get('/docs/decisions')).text).to.contain('href="/docs/decisions/0001-idempotency-claim"');
  });

  it('shows the deployment’s own address in the examples', async () => {
    const { baseUrl } = platform.running.services.deployment;
    expect((await get('/docs/using')).text).to.contain(`npm install ${baseUrl}/clients/svc-sdk.tgz`);
    expect((await get('/docs/using.md')).text).to.contain(`npm install ${baseUrl}/clients/svc-sdk.tgz`);
    const { registry } = platform.running;
    const pageAt = await pageReader(registry, 'https://mail.acme.example');
    const operating = (await pageAt('/docs/operating')).body.toString();
    expect(operating).to.contain('https://mail.acme.example').and.not.contain('svc.example.com');
    expect((await pageAt('/docs/reference/email')).body.toString()).to.contain(
      'curl https://mail.acme.example/email/send',
    );
  });

  it('answers unknown addresses with its own page, and never a file that is not a document', async () => {
    for (const path of [
      '/docs/nothing',
      '/docs/package.json',
      '/docs/..%2f..%2fpackage.json',
      '/docs/decisions/..%2fusing',
      '/docs/assets/site.css',
      '/docs/errors/no_such_code',
      '/docs/constructor',
      '/docs/__proto__',
    ]) {
      const { status, text } = await get(path);
      expect(status, path).to.equal(404);
      expect(text, path).to.contain('<h1>Page not found</h1>').and.contain('id="search"');
    }
    // Exactly these paths: fetch would resolve them.
    for (const path of ['/docs/../package.json', '/docs/%2e%2e/package.json']) {
      const status = await new Promise((resolve, reject) => {
        request(platform.running.address, { path }, (answer) => resolve(answer.resume().statusCode))
          .on('error', reject)
          .end();
      });
      expect(status, path).to.equal(404);
    }
    const refused = await get('/docs/using', {}, 'DELETE');
    expect([refused.status, refused.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
    expect((await get('/docs', {}, 'HEAD')).status).to.equal(200);
  });

  it('leads former addresses of the reference to the new ones', async () => {
    for (const [from, to] of [
      ['/reference', '/docs/reference'],
      ['/reference/email', '/docs/reference/email'],
      ['/reference/errors', '/docs/errors'],
      ['/reference/errors/', '/docs/errors'],
      ['/reference/email//', '/docs/reference/email'],
      ['/docs/using/', '/docs/using'],
      [`/docs${'/'.repeat(15_000)}`, '/docs'],
    ] as const) {
      const answer = await fetch(`${platform.running.address}${from}`, { redirect: 'manual' });
      expect([answer.status, answer.headers.get('location')]).to.deep.equal([301, to]);
    }
  });

  it('answers an address of slashes without keeping the process busy', async () => {
    const before = process.cpuUsage();
    // Eight addresses with a slash at the end, but most of their slashes inside. By a pattern, this took seconds.
    for (let round = 0; round < 8; round += 1) {
      const path = `/docs${'/'.repeat(15_000)}x/`;
      const answer = await fetch(`${platform.running.address}${path}`, { redirect: 'manual' });
      expect([answer.status, answer.headers.get('location')]).to.deep.equal([301, path.slice(0, -1)]);
    }
    const { user } = process.cpuUsage(before);
    expect(user / 1000).to.be.below(800);
  });

  it('has every document as Markdown, all of them as one text, and an index for language models', async () => {
    const one = await get('/docs/using.md');
    expect(one.headers.get('content-type')).to.equal('text/markdown; charset=utf-8');
    expect(one.text).to.match(/^# Using svc\n/);
    const links = [...one.text.matchAll(/\]\(http:[^)]*?(\/docs\/[^)#]*)/g)].map(([, path = '']) => path);
    expect(links).to.include.members(['/docs/domains.md', '/docs/start.md']);
    for (const path of links) expect((await get(path)).status, path).to.equal(200);
    const all = await get('/docs.md');
    expect(all.headers.get('content-type')).to.equal('text/markdown; charset=utf-8');
    expect(all.text).to.contain('# Using svc').and.contain('# Sending domains').and.contain('# Billing');
    const index = await get('/llms.txt');
    expect([index.status, index.headers.get('content-type')]).to.deep.equal([200, 'text/plain; charset=utf-8']);
    const { baseUrl } = platform.running.services.deployment;
    const addresses = [...index.text.matchAll(/\]\(([^)]+)\)/g)].map(([, address = '']) => address);
    expect(addresses).to.have.length.greaterThan(30).and.include(`${baseUrl}/docs/using.md`);
    for (const address of addresses) expect((await get(address.slice(baseUrl.length))).status, address).to.equal(200);
  });

  it('has a page for each error, to which refusals link', async () => {
    const refused = await platform.api.raw('/email/send', '{}');
    expect(refused.status).to.equal(401);
    const [, path = ''] = /^<(.*)>; rel="help"$/.exec(refused.headers.get('link') ?? '') ?? [];
    expect(path).to.equal('/docs/errors/unauthenticated');
    expect((await get(path)).status).to.equal(200);
    const { text } = await get('/docs/errors/sender_not_verified');
    expect(text)
      .to.contain('<h1><code>sender_not_verified</code></h1>')
      .and.contain('What it means')
      .and.contain('How to fix it')
      .and.contain('href="/docs/reference/email#email.send"')
      .and.contain('Read more');
    const repeated = [];
    for (const code of ['rate_limited', 'idempotency_in_progress', 'device_pending', 'dns_lookup_failed', 'name_taken'])
      if ((await get(`/docs/errors/${code}`)).text.includes('Repeat the call with the same')) repeated.push(code);
    expect(repeated).to.deep.equal(['rate_limited', 'idempotency_in_progress', 'device_pending', 'dns_lookup_failed']);
    const locked = (await get('/docs/errors/challenge_locked')).text;
    expect(locked).to.contain('HTTP status 429').and.contain('Do not repeat the call');
    const retries = (await get('/docs/reference')).text;
    expect(retries)
      .to.match(/Also retry <.*device_pending.*dns_lookup_failed.*idempotency_in_progress/)
      .and.match(/Do not retry <.*challenge_locked.*provider_not_configured/);
  });

  it('shows every diagram as a picture that loads nothing, with its text below', async () => {
    let shown = 0;
    for (const { slug, file } of chapters.flatMap(({ documents }) => documents)) {
      const diagrams = [...readFileSync(file, 'utf8').matchAll(/^```mermaid$/gm)].length;
      if (diagrams === 0) continue;
      const { text: page } = await get(`/docs/${slug}`);
      const pictures = [...page.matchAll(/<img src="([^"]+)"/g)].map(([, address = '']) => address);
      expect(pictures, file).to.have.length(diagrams);
      expect(page.match(/<summary>The diagram as text/g), file).to.have.length(diagrams);
      for (const address of pictures) {
        const { status, headers, text } = await get(address);
        expect([status, headers.get('content-type')], address).to.deep.equal([200, 'image/svg+xml; charset=utf-8']);
        expect(text).to.match(/^<svg [^>]*width="[1-9]/);
        expect(text.replace('http://www.w3.org/2000/svg', '')).to.not.match(/https?:|@import|<script/);
      }
      shown += pictures.length;
    }
    expect(shown).to.be.greaterThan(5);
  });

  it('lists every setting with its default', async () => {
    const { text } = await get('/docs/settings');
    for (const variable of ['SVC_BASE_URL', 'SVC_SMTP_URL', 'SVC_PRICES_FILE', 'SVC_SMS_URL'])
      expect(text).to.contain(`id="${variable}"`);
    expect((await get('/docs/start')).text)
      .to.contain('<a href="/docs/settings">')
      .and.not.contain('<code>SVC_MAIL_DKIM_SELECTOR');
  });

  it('gives users’ words only to addresses that the search knows', async () => {
    const index: unknown = await (await fetch(`${platform.running.address}/docs/search.json`)).json();
    const known = Object.values(recordAt(index, 'index', 'storedFields')).map((entry) => at(entry, 'path'));
    expect(Object.keys(userWords).filter((path) => !known.includes(path))).to.deep.equal([]);
  });

  it('leaves the changelog out of the search, because it repeats what the guides say', async () => {
    const index: unknown = await (await fetch(`${platform.running.address}/docs/search.json`)).json();
    const known = Object.values(recordAt(index, 'index', 'storedFields')).map((entry) => String(at(entry, 'path')));
    expect(known.filter((path) => path.startsWith('/docs/changelog'))).to.deep.equal([]);
    expect((await fetch(`${platform.running.address}/docs/changelog`)).status).to.equal(200);
  });
});
