import { expect } from 'chai';
import { findEnvironment } from '#core/kernel/environment/environment.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { perIp } from '#core/kernel/limits/named-limit.js';
import { defineOperation } from '#core/kernel/operation.js';
import type { Page } from '#core/kernel/page.js';
import { definePlugin } from '#core/kernel/plugin.js';
import { integer, object, text } from '#core/kernel/schema/schema.js';
import { html } from '#core/surfaces/pages/html.js';
import { renderPage } from '#core/surfaces/pages/page.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import { defaultPageTheme } from '#core/surfaces/pages/theme.js';
import { minutes } from '#test/support/clock.js';
import { at } from '#test/support/json.js';
import { usePlatform } from '#test/support/platform.js';

const vote = defineOperation({
  name: 'booth.vote.cast',
  summary: 'Cast a vote.',
  access: 'publishable',
  limits: [perIp({ name: 'booth.vote', max: 3, windowSeconds: 600, description: '3 per IP in 10 minutes' })],
  input: object({ choice: text('What is voted for.', { maxLength: 20 }) }),
  output: object({ choice: text(), seen: text(), label: text() }),
  example: { input: { choice: 'tea' }, output: { choice: 'tea', seen: 'x', label: 'x' } },
  handle: async ({ choice }, { caller, audit }) => {
    audit({ summary: `Voted for ${choice}.` });
    return { choice, seen: caller.environment.id, label: caller.label };
  },
});
const secret = defineOperation({
  name: 'booth.count.get',
  summary: 'Count the votes.',
  access: 'secret',
  input: object({}),
  output: object({ count: integer() }),
  example: { input: {}, output: { count: 1 } },
  handle: async () => ({ count: 0 }),
});

/** Answers with the page request as JSON. */
const mirror: Page = {
  path: '/booth/{environmentId}/mirror/{topic}',
  methods: ['GET', 'POST'],
  acceptsCrossSitePosts: true,
  answer: async ({ path, params, query, form, headers, cookies }) => ({
    status: 200,
    type: 'application/json',
    body: JSON.stringify({
      path,
      params,
      query: Object.fromEntries(query),
      form: Object.fromEntries(form),
      headers,
      cookies: Object.fromEntries(cookies),
    }),
  }),
};

const ballot: Page = {
  path: '/booth/{environmentId}/ballot',
  methods: ['GET', 'POST'],
  async answer({ method, params, form, call }, { database }) {
    const environment = await findEnvironment(database, params['environmentId'] ?? '');
    if (!environment) throw refusalOf.not_found({ thing: 'ballot', lookup: 'the link that you were sent' });
    if (method === 'POST') {
      const { choice } = await call(vote, { choice: form.get('choice') ?? '' }, { environment });
      return seeOther('/booth/done', [
        { name: 'booth', value: `${choice}; ü` },
        { name: 'seen', value: '', maxAgeSeconds: 0 },
      ]);
    }
    return renderPage({
      title: 'Ballot',
      lang: 'en',
      theme: defaultPageTheme,
      body: html`<h1>Ballot</h1>`,
    });
  },
};

const failing: Page = {
  path: '/booth/{environmentId}/failing',
  methods: ['GET'],
  async answer({ call, query, params }, { database }) {
    const environment = await findEnvironment(database, params['environmentId'] ?? '');
    if (query.has('refused')) throw refusalOf.live_only({ operation: 'booth.vote.cast' });
    if (query.has('invalid')) throw refusalOf.invalid_input({ field: 'booth.vote', problem: 'is missing' });
    if (query.has('secret')) await call(secret, {}, environment ? { environment } : {});
    if (query.has('homeless')) await call(vote, { choice: 'tea' });
    if (query.has('unknown')) await call('booth.vote.recount', {});
    throw new Error('a secret detail');
  },
};

/** Uses its own limit instead of the operation's. */
const kiosk: Page = {
  path: '/booth/{environmentId}/kiosk',
  methods: ['GET'],
  async answer({ params, query, call }, { database }) {
    const environment = await findEnvironment(database, params['environmentId'] ?? '');
    if (!environment) throw refusalOf.not_found({ thing: 'kiosk', lookup: 'the link that you were sent' });
    const limit = {
      name: 'booth.kiosk',
      max: 5,
      windowSeconds: 600,
      description: '5',
      by: () => query.get('who') ?? '',
    };
    const reply = await call('booth.vote.cast', { choice: 'tea' }, { environment, limits: [limit] });
    return { status: 200, type: 'application/json', body: JSON.stringify(reply) };
  },
};

const booth = definePlugin({
  name: 'booth',
  summary: 'Pages that call operations.',
  tables: [],
  operations: [vote, secret],
  events: {},
  errors: {},
  pages: [mirror, ballot, failing, kiosk],
});

describe('A page', () => {
  const platform = usePlatform({ plugins: [booth] });
  beforeEach(() => platform.clock.advance(minutes(11)));

  const visit = (path: string, options: RequestInit = {}): Promise<Response> =>
    fetch(`${platform.running.address}${path}`, { redirect: 'manual', ...options });
  const cast = (environmentId: string, headers: Record<string, string> = {}, choice = 'tea'): Promise<Response> =>
    visit(`/booth/${environmentId}/ballot`, { method: 'POST', headers, body: new URLSearchParams({ choice }) });

  it('gets path parameters, query, form, cookies and selected headers', async () => {
    const answer = await visit('/booth/one/mirror/a%2Fb%20ü?x=1', {
      method: 'POST',
      headers: { Authorization: 'Bearer x', Cookie: 'a=1; b=x%20y; broken=%zz; =3; c', 'User-Agent': 'test' },
      body: new URLSearchParams({ y: '2' }),
    });
    const seen: unknown = await answer.json();
    expect(seen).to.deep.include({
      path: '/booth/one/mirror/a%2Fb%20%C3%BC',
      params: { environmentId: 'one', topic: 'a/b ü' },
      query: { x: '1' },
      form: { y: '2' },
      cookies: { a: '1', b: 'x y' },
    });
    expect(at(seen, 'headers', 'user-agent')).to.equal('test');
    expect(at(seen, 'headers', 'authorization')).to.equal(undefined);
  });

  it('is found only if every segment of its path matches', async () => {
    for (const path of ['/booth/one/mirror', '/booth//mirror/x', '/booth/one/mirror/x/y', '/booth/one/mirror/%zz'])
      expect((await visit(path)).status, path).to.equal(404);
    // The path of an operation is never matched as a page.
    expect((await visit('/booth/vote/cast')).status).to.equal(405);
  });

  it('sets HttpOnly cookies, redirects, and has forms for this server only', async () => {
    const { live } = await platform.account();
    const posted = await cast(live.id);
    expect([posted.status, posted.headers.get('location')]).to.deep.equal([303, '/booth/done']);
    expect(posted.headers.getSetCookie()).to.deep.equal([
      'booth=tea%3B%20%C3%BC; Path=/; HttpOnly; SameSite=Lax',
      'seen=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
    ]);
    expect(posted.headers.get('cache-control')).to.equal('no-store');
    const shown = await visit(`/booth/${live.id}/ballot`);
    expect(shown.headers.get('content-security-policy')).to.contain("; form-action 'self'; ");
  });

  it('refuses forms from other sites, unless it declares to accept them', async () => {
    const { live } = await platform.account();
    const own = new URL(platform.running.address);
    const refused: Record<string, string>[] = [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site', Origin: own.origin },
      { Origin: 'https://evil.example.com' },
      { Origin: 'null' },
      { Origin: `http://${own.hostname}:1` },
    ];
    for (const headers of refused) {
      const answer = await cast(live.id, headers);
      expect(answer.status, JSON.stringify(headers)).to.equal(403);
      expect(await answer.text()).to.contain('<h1>This isn’t allowed</h1>');
      expect((await visit('/booth/one/mirror/x', { method: 'POST', headers })).status).to.equal(200);
    }
    for (const headers of [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }, { Origin: own.origin }, {}])
      expect((await cast(live.id, headers)).status, JSON.stringify(headers)).to.equal(303);
    // Browsers send `Origin: null` with the forms of a page under no-referrer.
    expect((await visit(`/booth/${live.id}/ballot`)).headers.get('referrer-policy')).to.equal('same-origin');
  });

  it('calls operations in its environment without a key; the audit record names a hosted page', async () => {
    const { live, svc } = await platform.account();
    const answer = await visit(`/booth/${live.id}/kiosk?who=a`);
    expect(await answer.json()).to.deep.equal({ choice: 'tea', seen: live.id, label: 'Hosted page' });
    const { activities } = await svc.call('account.activity.list', { limit: 1 });
    expect(activities[0]).to.deep.include({
      operation: 'booth.vote.cast',
      summary: 'Voted for tea.',
      actor: { kind: 'public', id: 'public', label: 'Hosted page' },
    });
  });

  it('is subject to the operation’s input schema and limits, or to limits given with the call', async () => {
    const { live } = await platform.account();
    expect((await cast(live.id, {}, 'x'.repeat(21))).status).to.equal(400);
    for (const status of [303, 303, 303, 429]) expect((await cast(live.id)).status).to.equal(status);
    for (const who of ['a', 'b'])
      for (const status of [200, 200, 200, 200, 200, 429])
        expect((await visit(`/booth/${live.id}/kiosk?who=${who}`)).status, who).to.equal(status);
  });

  it('does not count against the request limit of keys', async function () {
    this.timeout(60_000);
    const { live } = await platform.account();
    for (let n = 0; n < 610; n += 1) expect((await visit(`/booth/${live.id}/kiosk?who=${n}`)).status).to.equal(200);
  });

  it('shows errors on the shared error page: in the reader’s language, with the next step and the request’s id', async () => {
    const { live } = await platform.account();
    for (const [query, status, sentence] of [
      ['', 500, 'Etwas ist schiefgegangen'],
      ['?refused', 403, 'Das ist nicht erlaubt'],
      ['?invalid', 400, 'Das hat nicht funktioniert'],
      ['?secret', 500, 'Etwas ist schiefgegangen'],
      ['?homeless', 500, 'Etwas ist schiefgegangen'],
      ['?unknown', 404, 'Dieser Link funktioniert nicht'],
    ] as const) {
      const answer = await visit(`/booth/${live.id}/failing${query}`, { headers: { 'Accept-Language': 'de-AT' } });
      const body = await answer.text();
      expect(answer.status, query).to.equal(status);
      expect(answer.headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expect(body).to.contain('<html lang="de">').and.contain(sentence).and.not.contain('secret detail');
      // What is said to those who call operations.
      expect(body).to.not.match(/booth\.vote|There is no operation|Correct “/);
      expect(body).to.contain(`<code>${answer.headers.get('x-request-id') ?? 'none'}</code>`);
    }
    expect((await visit('/booth/01890a5d-ac96-774b-bcce-b302099a8057/ballot')).status).to.equal(404);
    expect((await visit('/booth/nowhere/ballot')).status).to.equal(404);
  });

  it('cannot call operations that need a secret key, or an environment that it does not name', async () => {
    const { live } = await platform.account();
    const lines = platform.logLines.length;
    for (const query of ['?secret', '?homeless']) await visit(`/booth/${live.id}/failing${query}`);
    const logged = platform.logLines.slice(lines).join('');
    expect(logged).to.contain('booth.count.get needs a secret key').and.contain('without naming an environment');
  });
});
