import { expect } from 'chai';
import type { RawAnswer } from '#test/support/api.js';
import { usePlatform } from '#test/support/platform.js';

describe('Every answer with content of its own', () => {
  const platform = usePlatform();
  const expectUncached = ({ headers }: RawAnswer, what: string): void => {
    expect(headers.get('Cache-Control'), what).to.equal('no-store');
    expect(headers.get('X-Content-Type-Options'), what).to.equal('nosniff');
  };

  it('is kept by nobody: answers of operations, their refusals, MCP and callbacks', async () => {
    const { keys } = await platform.account();
    const key = keys.test.secret;
    const created = await platform.api.raw(
      '/developers/key/create',
      JSON.stringify({ name: 'Shop', permissions: ['account:read'] }),
      { key },
    );
    expect(created.text).to.contain('svc_test_');
    expectUncached(created, 'a reply with a key');
    for (const [path, options, status] of [
      ['/v1/account/get', { key }, 200],
      ['/account/get', {}, 401],
      ['/account/signup', {}, 400],
      ['/account/get', { key, method: 'OPTIONS' }, 405],
      ['/auth/signin/methods', { method: 'OPTIONS' }, 204],
      ['/nothing/here', {}, 404],
      ['/v1/callbacks/email', {}, 403],
    ] as const) {
      const answer = await platform.api.raw(path, '{}', options);
      expect(answer.status, path).to.equal(status);
      expectUncached(answer, path);
    }
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'account_get' } });
    const accept = { Accept: 'application/json, text/event-stream' };
    const called = await platform.api.raw('/mcp', call, { key, headers: accept });
    expect(called.status).to.equal(200);
    expectUncached(called, 'MCP');
  });

  it('may be cached where it says so itself', async () => {
    const described = await platform.api.raw('/openapi.json', undefined, { method: 'GET' });
    expect(described.headers.get('Cache-Control')).to.equal('no-cache');
  });
});
