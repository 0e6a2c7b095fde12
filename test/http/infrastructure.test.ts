import { expect } from 'chai';
import { idBytes } from '#core/runtime/id.js';
import { seconds } from '#test/support/clock.js';
import { eventQueue } from '#core/kernel/events/outbox.js';
import { emitAnything } from '#test/support/emit.js';
import type { RawAnswer } from '#test/support/api.js';
import { usePlatform } from '#test/support/platform.js';
import { useDurableServer } from '#test/kernel/support/durable.js';
import { proxyBefore, type TcpProxy } from '#test/support/tcp-proxy.js';

describe('Addresses that are not operations', () => {
  const parts: { proxy?: TcpProxy } = {};
  const platform = usePlatform({
    databaseUrl: async (given) => {
      const { proxy, url } = await proxyBefore(given);
      parts.proxy = proxy;
      return url;
    },
  });
  afterEach(() => parts.proxy?.restore());
  after(() => parts.proxy?.close());
  const get = (path: string, headers: Record<string, string> = {}): Promise<RawAnswer> =>
    platform.api.raw(path, undefined, { method: 'GET', headers: { 'Accept-Encoding': 'identity', ...headers } });

  it('report that the process is alive and ready', async () => {
    expect(await get('/healthz')).to.include({ status: 200, text: 'ok\n' });
    expect(await get('/readyz')).to.include({ status: 200, text: 'ready\n' });
    const head = await platform.api.raw('/healthz', undefined, { method: 'HEAD' });
    expect([head.status, head.text, head.headers.get('Content-Length')]).to.deep.equal([200, '', '3']);
  });

  it('report not ready while the database is down, and ready when it is back', async () => {
    parts.proxy?.sever();
    expect((await get('/readyz')).status).to.equal(503);
    expect((await get('/healthz')).status).to.equal(200);
    parts.proxy?.restore();
    expect((await get('/readyz')).status).to.equal(200);
  });

  it('report within three seconds that the database hangs', async () => {
    parts.proxy?.freeze();
    const began = Date.now();
    expect((await get('/readyz')).status).to.equal(503);
    expect(Date.now() - began).to.be.lessThan(3_000);
    expect((await get('/healthz')).status).to.equal(200);
    parts.proxy?.restore();
    expect((await get('/readyz')).status).to.equal(200);
  });

  it('answer only GET and HEAD', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics', '/openapi.json']) {
      const refused = await platform.api.raw(path, '{}');
      expect([path, refused.status, refused.headers.get('Allow')]).to.deep.equal([path, 405, 'GET, HEAD']);
    }
  });

  it('serve the description with an ETag: a matching one is answered 304, also as a weak tag or in a list', async () => {
    const { status, text, headers } = await get('/openapi.json');
    const tag = headers.get('ETag') ?? '';
    expect([status, headers.get('Content-Type'), headers.get('Access-Control-Allow-Origin')]).to.deep.equal([
      200,
      'application/json; charset=utf-8',
      '*',
    ]);
    // Asked for again each time: after an upgrade nobody reads yesterday's.
    expect(headers.get('Cache-Control')).to.equal('no-cache');
    expect(JSON.parse(text)).to.include({ openapi: '3.1.0' });
    expect(tag).to.match(/^"[\w-]{22}"$/);
    for (const given of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const repeat = await get('/openapi.json', { 'If-None-Match': given });
      expect([given, repeat.status, repeat.text, repeat.headers.get('ETag')]).to.deep.equal([given, 304, '', tag]);
    }
    expect((await get('/openapi.json', { 'If-None-Match': '"other"' })).status).to.equal(200);
  });

  it('show how long due work of each queue has waited', async () => {
    await platform.settled();
    const { text } = await get('/metrics');
    for (const { queue } of platform.running.workers.filter(({ queue }) => queue !== eventQueue))
      expect(text).to.contain(`svc_work_oldest_due_seconds{queue="${queue}"} 0\n`);
  });

  it('show how long the oldest event has waited for its position', async () => {
    const { live } = await platform.account();
    await platform.settled();
    const oldest = async (): Promise<number> =>
      Number(/svc_work_oldest_due_seconds\{queue="svc\.events"\} (\S+)/.exec((await get('/metrics')).text)?.[1]);
    expect(await oldest()).to.equal(0);
    // As if the sequencer did not run: another transaction has locked the environment's counter.
    const { database, transaction } = platform.running.services;
    // The environment has no counter before its first event, and a row that does not exist cannot be locked.
    await database.run('INSERT IGNORE INTO svc_event_counter (environment_id, position) VALUES (?, 0)', [
      idBytes(live.id),
    ]);
    await database.transaction(async (db) => {
      await db.rows('SELECT position FROM svc_event_counter WHERE environment_id = ? FOR UPDATE', [idBytes(live.id)]);
      await transaction('Test', async (context) => {
        context.actIn(live);
        emitAnything(context, 'account.updated', { subjectId: live.accountId, data: {} });
      });
      platform.clock.advance(seconds(90));
      expect(await oldest()).to.be.within(90, 120);
    });
    await platform.settled();
    expect(await oldest()).to.equal(0);
  });

  it('count errors in the log by their message', async () => {
    const { log } = platform.running.services;
    log.error({ err: new Error('out of paper') }, 'printing failed');
    log.error('printing failed');
    log.warn('printing is slow');
    const { text } = await get('/metrics');
    expect(text).to.contain('svc_log_errors_total{message="printing failed"} 2\n');
    expect(text).to.not.contain('printing is slow');
    for (let index = 0; index < 300; index += 1) log.error(`printing page ${index} failed`);
    const lines = (await get('/metrics')).text.match(/^svc_log_errors_total\{/gm);
    expect(lines).to.have.length.below(210);
  });

  it('count waits for a database connection', async () => {
    const waits = async (): Promise<number> =>
      Number(/^svc_database_waits_total (\d+)$/m.exec((await get('/metrics')).text)?.[1]);
    const before = await waits();
    const { database } = platform.running.services;
    await Promise.all(Array.from({ length: 50 }, () => database.rows('SELECT 1')));
    expect(await waits()).to.be.greaterThan(before + 20);
  });

  it('name the version and the role', async () => {
    expect((await get('/metrics')).text).to.match(
      /^svc_info\{version="[\d.]+(?:\+[0-9a-f]+)?",role="all",base_url="[^"]+"\} 1$/m,
    );
  });

  it('show metrics by operation and status, without labels that a caller could choose', async () => {
    await platform.api.raw('/account/get', '{}');
    await platform.api.raw('/made-up-by-a-caller', '{}');
    const { status, text, headers } = await get('/metrics');
    expect([status, headers.get('Content-Type')]).to.deep.equal([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(text).to.match(/svc_request_duration_seconds_count\{operation="account\.get",status="401"\} 1\n/);
    expect(text).to.contain('operation="unknown",status="404"');
    expect(text).to.not.contain('made-up');
  });
});

describe('GET /metrics', () => {
  describe('in production without a token', () => {
    const server = useDurableServer();
    const platform = usePlatform({
      settings: async () => {
        await server.makeDurable();
        return { SVC_BASE_URL: 'https://svc.example.com' };
      },
    });

    it('is closed', async () => {
      const answer = await platform.api.raw('/metrics', undefined, { method: 'GET' });
      expect(answer.status).to.equal(401);
      expect(answer.text).to.contain('SVC_METRICS_TOKEN');
    });
  });

  describe('with a token', () => {
    const platform = usePlatform({ settings: () => ({ SVC_METRICS_TOKEN: 'let-me-in-to-look' }) });

    it('requires it, complete and as a bearer', async () => {
      const statuses = await Promise.all(
        ['', 'let-me-in-to-look', 'Bearer let-me', 'Bearer let-me-in-to-look2', 'Bearer let-me-in-to-look'].map(
          async (Authorization) => {
            const headers = Authorization === '' ? {} : { Authorization };
            return (await platform.api.raw('/metrics', undefined, { method: 'GET', headers })).status;
          },
        ),
      );
      expect(statuses).to.deep.equal([401, 401, 401, 401, 200]);
      const refused = await platform.api.raw('/metrics', undefined, { method: 'GET' });
      expect(refused.text).to.contain('Send the token of SVC_METRICS_TOKEN');
      expect(refused.headers.get('WWW-Authenticate')).to.equal('Bearer');
    });
  });
});
