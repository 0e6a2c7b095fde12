import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { newRootKey } from '#core/runtime/secrets/root-key.js';
import { at } from '#core/runtime/json.js';
import { shardOfId } from '#core/runtime/id.js';
import { createTestDatabase, type TestDatabase } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';
import { freePort } from '#test/support/free-port.js';
import { needProducts } from '#test/support/products.js';
import { startNode, type NodeProcess } from './support/node.js';

interface Shard {
  readonly node: NodeProcess;
  readonly address: string;
  readonly live: string;
  readonly test: string;
  readonly environmentId: string;
  restart(): Promise<void>;
}

interface Answer {
  status: number;
  headers: Headers;
  text: string;
  json: unknown;
}

interface Asked {
  method?: string;
  key?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

async function ask(url: string, { method = 'POST', key, body, headers = {} }: Asked = {}): Promise<Answer> {
  const reply = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await reply.text();
  const json: unknown = reply.headers.get('content-type')?.includes('json') ? JSON.parse(text) : undefined;
  return { status: reply.status, headers: reply.headers, text, json };
}

const inboundSecret = 'a-secret-of-the-mail-provider';
const result = ({ json }: Answer, ...path: string[]): unknown => at(json, 'result', ...path);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

describe('Two shards at one address', function () {
  this.timeout(180_000);
  needProducts('email', 'audience', 'auth');
  const databases: TestDatabase[] = [];
  const folders: string[] = [];
  const shards: Shard[] = [];
  const [one, two] = [() => shardAt(0), () => shardAt(1)];

  function shardAt(index: number): Shard {
    const shard = shards[index];
    if (!shard) throw new Error('The shards are not running yet.');
    return shard;
  }

  before(async () => {
    const ports = [await freePort(), await freePort()];
    const addresses = ports.map((port) => `http://127.0.0.1:${port}`);
    const [baseUrl = ''] = addresses;
    for (const [index, port] of ports.entries()) {
      const database = await createTestDatabase();
      const folder = await mkdtemp(join(tmpdir(), 'svc-shard-'));
      databases.push(database);
      folders.push(folder);
      const settings = {
        SVC_DATABASE_URL: database.url,
        SVC_SECRET_KEY: newRootKey(),
        SVC_STATE_DIR: folder,
        SVC_PORT: String(port),
        SVC_BASE_URL: baseUrl,
        SVC_SHARD: String(index + 1),
        SVC_SHARDS: addresses.map((address, at) => `${at + 1}=${address}`).join(','),
        SVC_NEW_ACCOUNTS_SHARD: '2',
        SVC_SIGNUP: 'open',
        SVC_INBOUND_SECRET: inboundSecret,
        SVC_TRUST_PROXY: '127.0.0.1',
        SVC_OUTBOUND_ALLOW: '127.0.0.0/8',
      };
      const running = { node: await startNode(settings) };
      const firstRun: unknown = JSON.parse(await readFile(join(folder, 'first-run.json'), 'utf8'));
      shards.push({
        get node() {
          return running.node;
        },
        address: addresses[index] ?? '',
        live: textOf(at(firstRun, 'keys', 'live', 'secret')),
        test: textOf(at(firstRun, 'keys', 'test', 'secret')),
        environmentId: textOf(at(firstRun, 'environments', 'test')),
        async restart() {
          running.node = await startNode(settings);
        },
      });
    }
  });
  after(async () => {
    for (const { node } of shards) await node.kill();
    for (const database of databases) await database.drop();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });

  it('answers each call in the shard of its key, whichever node gets it', async () => {
    for (const { address } of shards)
      for (const [index, shard] of shards.entries()) {
        const answer = await ask(`${address}/v1/account/get`, { key: shard.test, body: {} });
        expect(answer.status, answer.text).to.equal(200);
        expect(shardOfId(textOf(result(answer, 'account', 'id')))).to.equal(index + 1);
      }
  });

  it('stores a write once, and answers its repeat at the other node', async () => {
    const body = { to: 'ada@mail.localhost', subject: 'Hi', text: 'Hello' };
    const call = { key: two().test, body, headers: { 'Idempotency-Key': randomUUID() } };
    const first = await ask(`${one().address}/v1/email/send`, call);
    const again = await ask(`${two().address}/v1/email/send`, call);
    expect(first.status, first.text).to.equal(200);
    expect(again.text).to.equal(first.text);
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
  });

  it('keeps the client’s address for limits and audit records', async () => {
    const headers = { 'X-Forwarded-For': '203.0.113.9' };
    const made = await ask(`${one().address}/v1/audience/topic/create`, {
      key: two().live,
      body: { key: `news-${randomUUID().slice(0, 8)}`, name: 'News' },
      headers,
    });
    expect(made.status, made.text).to.equal(200);
    const found = await ask(`${two().address}/v1/account/activity/get`, {
      key: two().live,
      body: { activityId: at(made.json, 'activityId') },
    });
    expect(result(found, 'activity', 'ip'), found.text).to.equal('203.0.113.9');
  });

  it('passes on large bodies, and refusals that come before their end', async () => {
    const html = 'x'.repeat(600_000);
    const body = { to: 'ada@mail.localhost', subject: 'Hi', html };
    const sent = await ask(`${one().address}/v1/email/send`, { key: two().test, body });
    expect(sent.status, sent.text).to.equal(200);
    const tooLarge = { key: two().test, body: { name: 'x'.repeat(20_000_000) } };
    const refused = await ask(`${one().address}/v1/account/get`, tooLarge);
    expect([refused.status, at(refused.json, 'error', 'code')]).to.deep.equal([413, 'body_too_large']);
    expect((await ask(`${one().address}/v1/account/get`, { key: two().test, body: {} })).status).to.equal(200);
  });

  it('finds the shard of calls without a key by the token in their body', async () => {
    const made = await ask(`${one().address}/v1/account/signup`, {
      body: { name: 'New', email: `o-${randomUUID()}@example.com` },
    });
    expect(made.status, made.text).to.equal(200);
    expect(shardOfId(textOf(result(made, 'account', 'id')))).to.equal(2);
    for (const { live } of shards) {
      const email = `ada-${randomUUID()}@example.com`;
      const contact = await ask(`${one().address}/v1/audience/contact/upsert`, { key: live, body: { email } });
      const contactId = result(contact, 'contact', 'id');
      const link = await ask(`${one().address}/v1/audience/preferences/link`, { key: live, body: { contactId } });
      const token = new URL(textOf(result(link, 'url'))).searchParams.get('token');
      for (const { address } of shards) {
        const shown = await ask(`${address}/v1/audience/preferences/get`, { body: { token } });
        expect(shown.status, shown.text).to.equal(200);
        for (const { test: key } of shards)
          expect((await ask(`${address}/v1/audience/preferences/get`, { key, body: { token } })).status).to.equal(200);
        const page = await ask(`${address}/preferences?token=${token}`, { method: 'GET' });
        expect(page.status, page.text.slice(0, 300)).to.equal(200);
        expect(page.text).to.contain('example.com');
      }
    }
  });

  it('serves pages and keys of environments, and refuses unknown ones as before', async () => {
    for (const { environmentId } of shards)
      for (const { address } of shards) {
        const page = await ask(`${address}/auth/${environmentId}/signin`, { method: 'GET' });
        expect(page.status, page.text.slice(0, 300)).to.equal(200);
        const keys = await ask(`${address}/auth/jwks/${environmentId}`, { method: 'GET' });
        expect(keys.status, keys.text).to.equal(200);
      }
    const unknown = await ask(`${one().address}/v1/account/get`, { key: `${two().test}x`, body: {} });
    expect([unknown.status, at(unknown.json, 'error', 'code')]).to.deep.equal([401, 'unauthenticated']);
  });

  it('lets the provider keep mail that may be for another shard, unless the address names the shard', async () => {
    const ingest = (query: string, to: string): Promise<Answer> =>
      ask(`${one().address}/v1/inbound/ingest${query}`, {
        key: inboundSecret,
        body: {
          envelopeTo: to,
          envelopeFrom: 'ada@example.com',
          raw: 'From: ada@example.com\r\nSubject: Hi\r\n\r\nHello',
        },
      });
    const kept = await ingest('', 'who@nobody.example');
    expect([kept.status, at(kept.json, 'error', 'code')], kept.text).to.deep.equal([503, 'unavailable']);
    expect(kept.text).to.contain('/v1/inbound/ingest?shard=N');
    for (const query of ['?shard=1', '?shard=2']) {
      const refused = await ingest(query, 'who@nobody.example');
      expect([refused.status, at(refused.json, 'status')], refused.text).to.deep.equal([200, 'refused']);
    }
    expect((await ingest('?shard=57', 'who@nobody.example')).status).to.equal(503);
  });

  it('serves MCP, by the key', async () => {
    const rpc = (method: string, params: unknown) => ({ jsonrpc: '2.0', id: 1, method, params });
    const called = await ask(`${one().address}/mcp`, {
      key: two().test,
      headers: { Accept: 'application/json, text/event-stream' },
      body: rpc('tools/call', { name: 'call_operation', arguments: { operation: 'account.get', input: {} } }),
    });
    expect(called.status, called.text).to.equal(200);
    const accountId = /"id\\*":\\*"([0-9a-f-]{36})/.exec(called.text)?.[1] ?? '';
    expect(shardOfId(accountId), called.text.slice(0, 500)).to.equal(2);
  });

  it('opens the console of a shard, and remembers it', async () => {
    const signInUrlAt = async (cookie: string): Promise<string> => {
      const headers = {
        Cookie: cookie,
        Origin: one().address,
        'Sec-Fetch-Site': 'same-origin',
        'Content-Type': 'application/x-www-form-urlencoded',
      };
      const session = await ask(`${one().address}/console/session`, { headers });
      expect(session.status, session.text).to.equal(200);
      return textOf(at(session.json, 'signInUrl'));
    };
    const shardIn = (url: string): number => shardOfId(/\/auth\/([^/]+)\//.exec(url)?.[1] ?? '');
    expect(shardIn(await signInUrlAt('none=1'))).to.equal(1);
    const opened = await ask(`${one().address}/console?shard=2`, { method: 'GET' });
    const [cookie = ''] = (opened.headers.get('set-cookie') ?? '').split(';');
    expect(cookie).to.equal('svc_console_shard=2');
    expect(shardIn(await signInUrlAt(cookie))).to.equal(2);
    const back = await ask(`${two().address}/console?shard=1`, { method: 'GET', headers: { Cookie: cookie } });
    expect(back.headers.get('set-cookie')).to.match(/^svc_console_shard=1;/);
    const described = await ask(`${two().address}/openapi.json`, { method: 'GET' });
    const dashboardKey = textOf(at(described.json, 'x-svc-dashboard', 'publishableKey'));
    expect(shardOfId(textOf(at(described.json, 'x-svc-dashboard', 'environmentId')))).to.equal(1);
    const other = await ask(`${one().address}/openapi.json?shard=2`, { method: 'GET' });
    const otherKey = textOf(at(other.json, 'x-svc-dashboard', 'publishableKey'));
    for (const key of [dashboardKey, otherKey]) {
      const methods = await ask(`${one().address}/v1/auth/signin/methods`, { key, body: {} });
      expect(methods.status, methods.text).to.equal(200);
    }
  });

  it('passes a call on once: a node that gets a call of another shard says what is wrong', async () => {
    const wrong = { key: one().test, body: {}, headers: { 'Svc-Shard': '1' } };
    const refused = await ask(`${two().address}/v1/account/get`, wrong);
    expect(refused.status).to.equal(503);
    expect(refused.text).to.contain('the operator must correct SVC_SHARDS there');
    // A client that claims it: the call is answered where it arrived, by a shard that does not know the key.
    const claimed = { key: two().test, body: {}, headers: { 'Svc-Shard': '1' } };
    expect((await ask(`${one().address}/v1/account/get`, claimed)).status).to.equal(401);
  });

  it('does not disturb the others if a shard hangs or is down, and goes on when it is back', async () => {
    const own = (): Promise<Answer> => ask(`${one().address}/v1/account/get`, { key: one().test, body: {} });
    const others = (): Promise<Answer> => ask(`${one().address}/v1/account/get`, { key: two().test, body: {} });
    const answersAgain = (): Promise<void> =>
      eventually(async () => (await others()).status === 200, 'shard 2', 20_000);
    process.kill(two().node.pid, 'SIGSTOP');
    try {
      // More calls than one client may have waiting: the rest are refused at once.
      const began = performance.now();
      const hanging = Array.from({ length: 600 }, others);
      for (let count = 0; count < 50; count += 1) expect((await own()).status).to.equal(200);
      for (const answer of await Promise.all(hanging)) {
        expect(answer.status).to.equal(503);
        expect(at(answer.json, 'error', 'code')).to.equal('unavailable');
        expect(textOf(at(answer.json, 'error', 'message'))).to.match(/shard 2 (does not answer|has too many calls)/);
      }
      expect(performance.now() - began).to.be.lessThan(20_000);
      // It is known to hang now, so nobody waits.
      expect((await others()).status).to.equal(503);
    } finally {
      process.kill(two().node.pid, 'SIGCONT');
    }
    await answersAgain();
    await two().node.kill();
    expect((await others()).status).to.equal(503);
    expect((await own()).status).to.equal(200);
    await two().restart();
    await answersAgain();
  });

  it('keeps nothing of a call whose client left', async () => {
    process.kill(two().node.pid, 'SIGSTOP');
    try {
      for (let count = 0; count < 20; count += 1)
        await new Promise<void>((resolve) => {
          const left = httpRequest(`${one().address}/v1/account/get`, {
            method: 'POST',
            headers: { Authorization: `Bearer ${two().test}`, 'Content-Type': 'application/json' },
          });
          left.on('error', () => resolve());
          left.write('{');
          left.on('socket', (socket) =>
            socket.once('connect', () => setImmediate(() => left.destroy(new Error('left')))),
          );
        });
    } finally {
      process.kill(two().node.pid, 'SIGCONT');
    }
    await eventually(
      async () => (await ask(`${one().address}/v1/account/get`, { key: two().test, body: {} })).status === 200,
      'shard 2',
      20_000,
    );
    expect((await ask(`${one().address}/healthz`, { method: 'GET' })).status).to.equal(200);
  });
});
