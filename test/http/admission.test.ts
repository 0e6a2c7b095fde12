import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { minutes } from '#test/support/clock.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { openConnection, postHead, type RawHttpAnswer } from '#test/support/raw-http.js';
import { codeOf } from '#test/kernel/support/lab.js';

const mebibyte = 1024 * 1024;
const bearer = (key: string): Record<string, string> => ({ Authorization: `Bearer ${key}` });
const unknownKey = (index: number): string => `svc_test_${String(index).padStart(43, 'x')}`;

describe('A caller is known before a body is read', () => {
  needProducts('email', 'audience');
  const platform = usePlatform();

  /** The answer to a request whose body never comes. */
  async function answerToHead(path: string, headers: Record<string, string>): Promise<[number, unknown]> {
    const connection = await openConnection(platform.running.address);
    connection.write(postHead(path, { 'Content-Type': 'application/json', 'Content-Length': mebibyte, ...headers }));
    const answer: RawHttpAnswer = await connection.answer();
    connection.socket.destroy();
    return [answer.status, codeOf({ text: answer.body })];
  }

  it('refuses by the headers alone: no key, an unknown key, a key without the permission, a key of another kind', async () => {
    const { svc, keys } = await platform.account();
    const { plaintext: secret } = await svc.call('developers.key.create', {
      name: 'Reader',
      permissions: ['email:read'],
    });
    expect(await answerToHead('/email/send', {})).to.deep.equal([401, 'unauthenticated']);
    expect(await answerToHead('/mcp', {})).to.deep.equal([401, 'unauthenticated']);
    expect(await answerToHead('/email/send', bearer(unknownKey(0)))).to.deep.equal([401, 'unauthenticated']);
    expect(await answerToHead('/email/send', bearer(secret))).to.deep.equal([403, 'permission_required']);
    expect(await answerToHead('/email/send', bearer(keys.live.publishable))).to.deep.equal([
      403,
      'secret_key_required',
    ]);
  });

  it('names the scheme of its keys where it answers 401 (RFC 9110 §15.5.2), and only there', async () => {
    const { svc, keys } = await platform.account();
    const named = async (path: string, key: string): Promise<string | null> =>
      (await svc.raw(path, '{}', { key })).headers.get('WWW-Authenticate');
    expect(await named('/email/send', unknownKey(2))).to.equal('Bearer');
    expect(await named('/mcp', unknownKey(2))).to.equal('Bearer');
    expect(await named('/email/send', keys.live.publishable)).to.equal(null);
    expect(await named('/account/get', keys.live.secret)).to.equal(null);
  });

  it('refuses a bad body only to a caller who may call, and to everybody where no key is needed', async () => {
    const { svc } = await platform.account();
    for (const [path, options, status] of [
      ['/email/send', { key: unknownKey(1) }, 401],
      ['/email/send', {}, 400],
      ['/audience/preferences/get', { key: unknownKey(1) }, 400],
    ] as const) {
      const answer = await svc.raw(path, '{"to":', options);
      expect(answer.status, path).to.equal(status);
    }
    const large = await svc.raw('/audience/preferences/get', `{"token":"${'x'.repeat(64 * 1024)}"}`, { key: '' });
    expect([large.status, codeOf(large)]).to.deep.equal([413, 'body_too_large']);
  });

  it('refuses a key that was revoked while the body arrived', async () => {
    const { svc } = await platform.account();
    const { plaintext: secret, key } = await svc.call('developers.key.create', {
      name: 'Short',
      permissions: ['email:read'],
    });
    const connection = await openConnection(platform.running.address);
    const head = { 'Content-Type': 'application/json', 'Content-Length': 2, ...bearer(secret) };
    connection.write(`${postHead('/email/message/list', head)}{`);
    // Longer than the server relies on what it found out from the headers.
    await pause(1_100);
    await svc.call('developers.key.revoke', { keyId: key.id });
    connection.write('}');
    const answer = await connection.answer();
    expect([answer.status, codeOf({ text: answer.body })]).to.deep.equal([401, 'unauthenticated']);
    connection.socket.destroy();
  });
});

describe('Invalid keys', () => {
  needProducts('email');
  const platform = usePlatform({ settings: () => ({ SVC_TRUST_PROXY: '127.0.0.1' }) });

  const codeFrom = async (ip: string, key: string): Promise<unknown> => {
    const answer = await platform.api.raw('/email/message/list', '{}', { key, headers: { 'X-Forwarded-For': ip } });
    return answer.status === 200 ? 200 : codeOf(answer);
  };
  const fail = async (ip: string, keys: readonly string[]): Promise<void> => {
    for (const key of keys) expect(await codeFrom(ip, key)).to.equal('unauthenticated');
  };
  const unknownKeys = (count: number): string[] => Array.from({ length: count }, (_, index) => unknownKey(index));

  it('are looked up a hundred times a minute per address; keys accepted before go on there', async () => {
    const known = (await platform.account()).keys.live.secret;
    expect(await codeFrom('203.0.113.7', known)).to.equal(200);
    await fail('203.0.113.7', unknownKeys(100));
    const refused = await platform.api.refusal(
      'email.message.list',
      {},
      {
        key: unknownKey(100),
        headers: { 'X-Forwarded-For': '203.0.113.7' },
      },
    );
    expect(refused).to.include({ status: 429, code: 'rate_limited' });
    expect(refused.message).to.equal('Too many requests: 100 invalid keys per minute per IP address.');
    expect(refused.fix).to.match(/^Wait \d+ seconds/);
    expect(await codeFrom('203.0.113.7', known)).to.equal(200);
    expect(await codeFrom('203.0.113.8', unknownKey(100))).to.equal('unauthenticated');
    platform.clock.advance(minutes(1));
    expect(await codeFrom('203.0.113.7', unknownKey(100))).to.equal('unauthenticated');
  });

  it('count once each, so that a program that repeats one locks nobody out', async () => {
    const account: TestAccount = await platform.account();
    await fail(
      '203.0.113.9',
      Array.from({ length: 150 }, () => unknownKey(0)),
    );
    expect(await codeFrom('203.0.113.9', account.keys.live.secret)).to.equal(200);
  });

  it('count together for the addresses of one IPv6 /64 network', async () => {
    await fail('2001:db8:1:2::1', unknownKeys(100));
    expect(await codeFrom('2001:db8:1:2:aaaa::9', unknownKey(100))).to.equal('rate_limited');
    expect(await codeFrom('2001:db8:1:3::1', unknownKey(100))).to.equal('unauthenticated');
  });
});
