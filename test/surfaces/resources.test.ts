import { expect } from 'chai';
import { refusalOf } from '#core/kernel/errors/common.js';
import { definePlugin } from '#core/kernel/plugin.js';
import { at } from '#test/support/json.js';
import { usePlatform } from '#test/support/platform.js';

const keys = new Map([['one', 'first']]);

const library = definePlugin({
  name: 'library',
  summary: 'Publishes documents.',
  tables: [],
  operations: [],
  events: {},
  errors: {},
  resources: [
    {
      path: '/library/{shelf}/keys.json',
      async answer({ params, query }) {
        const key = keys.get(params['shelf'] ?? '');
        if (key === undefined) throw refusalOf.not_found({ thing: 'shelf', lookup: 'the library’s catalogue' });
        return { body: JSON.stringify({ key, x: query.get('x') }), type: 'application/json', cacheSeconds: 300 };
      },
    },
  ],
});

describe('A resource', () => {
  const platform = usePlatform({ plugins: [library] });
  const get = (path: string, options: RequestInit = {}): Promise<Response> =>
    fetch(platform.running.address + path, options);

  it('can be read from any origin, with and without /v1, and cached', async () => {
    for (const prefix of ['', '/v1']) {
      const answer = await get(`${prefix}/library/one/keys.json?x=1`, {
        headers: { Origin: 'https://shop.example.com' },
      });
      const { status, headers } = answer;
      expect([status, await answer.text()]).to.deep.equal([200, '{"key":"first","x":"1"}']);
      expect(headers.get('content-type')).to.equal('application/json');
      expect(headers.get('cache-control')).to.equal('public, max-age=300');
      expect(headers.get('access-control-allow-origin')).to.equal('*');
      expect(headers.get('access-control-allow-credentials')).to.equal(null);
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
    }
  });

  it('answers 304 to a reader that has the current version', async () => {
    const first = await get('/library/one/keys.json');
    const tag = first.headers.get('etag') ?? '';
    expect(tag).to.match(/^"[\w-]{22}"$/);
    const again = await get('/library/one/keys.json', { headers: { 'If-None-Match': `"x", W/${tag}` } });
    expect([again.status, await again.text(), again.headers.get('etag')]).to.deep.equal([304, '', tag]);
    keys.set('one', 'second');
    const changed = await get('/library/one/keys.json', { headers: { 'If-None-Match': tag } });
    expect([changed.status, at(await changed.json(), 'key')]).to.deep.equal([200, 'second']);
  });

  it('answers GET, HEAD and preflight requests only', async () => {
    const head = await get('/library/one/keys.json', { method: 'HEAD' });
    expect([head.status, await head.text(), head.headers.get('content-type')]).to.deep.equal([
      200,
      '',
      'application/json',
    ]);
    const preflight = await get('/library/one/keys.json', { method: 'OPTIONS' });
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).to.deep.equal([204, 'GET, HEAD']);
    const posted = await get('/library/one/keys.json', { method: 'POST', body: '{}' });
    expect([posted.status, posted.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
  });

  it('answers not_found in the error envelope, readable by browsers', async () => {
    const answer = await get('/library/two/keys.json');
    expect([answer.status, at(await answer.json(), 'error', 'code')]).to.deep.equal([404, 'not_found']);
    expect(answer.headers.get('access-control-allow-origin')).to.equal('*');
    expect(answer.headers.get('cache-control')).to.equal('no-store');
  });

  it('is not described in /openapi.json', async () => {
    expect(await (await get('/openapi.json')).text()).to.not.contain('keys.json');
  });
});
