import { expect } from 'chai';
import { refusalOf } from '#core/kernel/errors/common.js';
import { definePlugin } from '#core/kernel/plugin.js';
import { equalBytes, sha256 } from '#core/runtime/secrets/digest.js';
import { at } from '#test/support/json.js';
import { usePlatform } from '#test/support/platform.js';

/** A provider that signs its address and body with a digest. */
const carrier = definePlugin({
  name: 'carrier',
  summary: 'Takes callbacks.',
  tables: [],
  operations: [],
  events: {},
  errors: {},
  callbacks: [
    {
      path: '/v1/carrier/status',
      bodyLimit: 1000,
      async answer({ rawBody, headers, query, url }, { deployment }) {
        const expected = sha256(Buffer.concat([Buffer.from(url), rawBody]));
        if (!equalBytes(Buffer.from(headers['x-signature'] ?? '', 'hex'), expected))
          throw refusalOf.forbidden({ problem: 'the signature is wrong', nextStep: 'Sign the address and the body.' });
        if (query.has('quiet')) return { status: 204 };
        const body = JSON.stringify({ bytes: [...rawBody], repeated: headers['x-part'], own: deployment.baseUrl });
        return { status: 202, body, type: 'application/json' };
      },
    },
  ],
});

/** Another name than the one that the test connects to, as behind a proxy. */
const publicAddress = 'http://localhost:8099';

describe('A callback', () => {
  const platform = usePlatform({
    plugins: [carrier],
    settings: () => ({ SVC_BASE_URL: publicAddress }),
  });
  const bytes = Buffer.from([0, 255, 123, 10]);
  const signature = (path: string, body = bytes): string =>
    sha256(Buffer.concat([Buffer.from(publicAddress + path), body])).toString('hex');
  const post = (path: string, headers: Record<string, string> = {}, options: RequestInit = {}): Promise<Response> =>
    fetch(platform.running.address + path, { method: 'POST', headers, body: bytes, ...options });

  it('gets the raw body and its configured public address, and chooses status and body', async () => {
    const path = '/v1/carrier/status?id=1';
    const answer = await post(path, { 'X-Signature': signature(path), 'X-Part': 'a', 'Content-Encoding': 'x' });
    expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([202, 'application/json']);
    expect(await answer.json()).to.deep.equal({ bytes: [...bytes], repeated: 'a', own: publicAddress });
    const quiet = await post(`${path}&quiet`, { 'X-Signature': signature(`${path}&quiet`) });
    expect([quiet.status, await quiet.text()]).to.deep.equal([204, '']);
  });

  it('answers errors in the error envelope', async () => {
    const large = Buffer.alloc(1001);
    for (const [answer, status, code] of [
      [await post('/v1/carrier/status'), 403, 'forbidden'],
      [await post('/v1/carrier/status', {}, { body: large }), 413, 'body_too_large'],
      [await post('/v1/carrier/status', {}, { method: 'GET', body: null }), 405, 'method_not_allowed'],
    ] as const) {
      const error = at(await answer.json(), 'error');
      expect([answer.status, at(error, 'code')]).to.deep.equal([status, code]);
      expect(at(error, 'requestId')).to.equal(answer.headers.get('x-request-id'));
      expect(answer.headers.get('access-control-allow-origin')).to.equal(null);
    }
  });

  it('exists only under /v1 and is not described in /openapi.json', async () => {
    expect((await post('/carrier/status')).status).to.equal(404);
    const { text } = await platform.api.raw('/openapi.json', undefined, { method: 'GET' });
    expect(text).to.not.contain('/carrier/status');
  });
});
