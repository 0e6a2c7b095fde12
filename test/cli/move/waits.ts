import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { seconds } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import { startSvc, svcCommand } from '../support.js';
import type { MoveSuite } from './suite.js';
import { mover, startProxy, type PassingCall } from './support.js';

/** Runs commands at a terminal, which util-linux provides. */
const terminal = '/usr/bin/script';

const record = '{"email":"ada@example.com","status":"enabled","lists":[]}';

export function waitSuite({ platform, start, write }: MoveSuite): void {
  describe('waits', () => {
    it('for the limit of the key, and says so', async () => {
      const { key, svc } = await start();
      const file = await write('limit.json', record);
      const calls = Array.from({ length: 700 }, async () => svc.call('audience.topic.list', {}).catch(() => undefined));
      await Promise.all(calls);
      platform.clock.advance(seconds(57));
      const words = ['move', 'from', 'listmonk', file, '--topic', 'news', '--base-url', platform.running.address];
      const child = startSvc(words, { key });
      const seen = { stderr: '' };
      child.stderr.on('data', (data: Buffer) => (seen.stderr += data.toString()));
      const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
      await eventually(() => seen.stderr.endsWith('\n'), 'the line about the wait');
      platform.clock.advance(seconds(60));
      expect(await ended).to.equal(0);
      expect(seen.stderr).to.match(/^reading; waiting [1-4] s: Too many requests: 600 per minute per key\.\n$/);
      expect((await svc.call('audience.contact.list', {})).contacts).to.have.length(1);
    });

    it('for a server that cannot answer, and repeats the call under the same Idempotency-Key', async () => {
      const { key, svc } = await start();
      const file = await write('unavailable.json', record);
      const keys: string[] = [];
      const proxy = await startProxy(
        platform.running.address,
        async ({ operation, idempotencyKey, forward, answer }) => {
          const reply = await forward();
          if (operation === 'audience.contact.import') keys.push(idempotencyKey);
          // The server did it, and its answer is lost.
          if (keys.length === 1 && operation === 'audience.contact.import') answer(503, unavailable);
          else answer(reply.status, reply.body);
        },
      );
      const { code, written, stderr } = await mover(proxy.url, key)('listmonk', file, '--topic', 'news');
      await proxy.close();
      expect({ code, written }).to.deep.equal({ code: 0, written: { 'contacts created': 1 } });
      expect(stderr).to.equal(
        'writing: 1 of 1 record; waiting 5 s: The server cannot answer now: the database is away.\n',
      );
      expect(keys).to.have.length(2);
      expect(keys[0]).to.equal(keys[1]);
      expect((await svc.call('audience.contact.list', {})).contacts).to.have.length(1);
    });

    it('for a gateway whose server is away, and after a lost connection, but not for a wrong address', async () => {
      const { key, svc } = await start();
      const file = await write('gateway.json', record);
      const keys: string[] = [];
      const pass = async ({ operation, idempotencyKey, forward, answer, drop }: PassingCall): Promise<void> => {
        const attempt = operation === 'audience.contact.import' ? keys.push(idempotencyKey) : 0;
        if (attempt === 1) {
          answer(502, '<html>Bad Gateway</html>', { 'Retry-After': '1' });
          return;
        }
        const reply = await forward();
        // The server did it, and its answer is lost.
        if (attempt === 2) drop();
        else answer(reply.status, reply.body);
      };
      const proxy = await startProxy(platform.running.address, pass);
      const { code, written, stderr } = await mover(proxy.url, key)('listmonk', file, '--topic', 'news');
      await proxy.close();
      expect({ code, written }, stderr).to.deep.equal({ code: 0, written: { 'contacts created': 1 } });
      expect(stderr).to.equal(
        `writing: 1 of 1 record; waiting 1 s: ${proxy.url} answered 502 without an error of svc: the server behind this gateway cannot be reached.\n`,
      );
      expect(keys).to.deep.equal([keys[0], keys[0], keys[0]]);
      expect((await svc.call('audience.contact.list', {})).contacts).to.have.length(1);
      // The proxy has ended.
      const wrong = await mover(proxy.url, key)('listmonk', file, '--topic', 'news');
      expect([wrong.code, wrong.stderr.includes('cannot be reached')]).to.deep.equal([1, true]);
      expect(wrong.stderr).not.to.contain('waiting');
    });

    it('at least a second, also if the server asks for none', async () => {
      const { key } = await start();
      const file = await write('at-once.json', record);
      const times: number[] = [];
      const proxy = await startProxy(platform.running.address, async ({ operation, forward, answer }) => {
        const attempt = operation === 'audience.topic.list' ? times.push(performance.now()) : 0;
        const waits = ['0', new Date(Date.now() - 60_000).toUTCString()];
        const wait = waits[attempt - 1];
        if (wait !== undefined) {
          answer(429, limited, { 'Retry-After': wait });
          return;
        }
        const reply = await forward();
        answer(reply.status, reply.body);
      });
      expect((await mover(proxy.url, key)('listmonk', file, '--topic', 'news')).code).to.equal(0);
      await proxy.close();
      const [first = 0, second = 0, third = 0] = times;
      // Timers may be up to a millisecond early.
      expect(Math.min(second - first, third - second)).to.be.at.least(990);
    });

    it('on at most one line every 30 seconds without a terminal', async () => {
      const { key, svc } = await start();
      const people = Array.from({ length: 8 }, (_, index) => ({
        ...{ email: `p${index}@example.com`, status: 'enabled' },
        lists: [{ name: 'Weekly', subscription_status: 'unsubscribed' }],
      }));
      const file = await write('many-waits.ndjson', people.map((each) => JSON.stringify(each)).join('\n'));
      const refused = new Set<string>();
      const proxy = await startProxy(platform.running.address, async ({ idempotencyKey, forward, answer }) => {
        if (!refused.has(idempotencyKey)) {
          refused.add(idempotencyKey);
          answer(429, limited, { 'Retry-After': '1' });
          return;
        }
        const reply = await forward();
        answer(reply.status, reply.body);
      });
      const began = performance.now();
      const { code, written, stderr } = await mover(proxy.url, key)('listmonk', file, '--topic', 'Weekly=news');
      await proxy.close();
      expect(code).to.equal(0);
      expect(written).to.deep.equal({ 'contacts created': 8, 'opt-outs from news recorded': 8 });
      const lines = stderr.trimEnd().split('\n');
      expect(lines[0]).to.equal('reading; waiting 1 s: Too many requests: 600 a minute.');
      expect(refused.size).to.be.greaterThan(10);
      expect(lines.length).to.be.at.most(1 + Math.floor((performance.now() - began) / 30_000));
      expect((await svc.call('audience.consent.list', {})).consents).to.have.length(8);
    });

    it('on one line at a terminal', async function () {
      if (!existsSync(terminal)) this.skip();
      const { key } = await start();
      const file = await write('terminal.json', record);
      const state = { isRefused: false };
      const pass = async ({ forward, answer }: PassingCall): Promise<void> => {
        if (!state.isRefused) {
          state.isRefused = true;
          answer(429, limited, { 'Retry-After': '3' });
          return;
        }
        const reply = await forward();
        answer(reply.status, reply.body);
      };
      const proxy = await startProxy(platform.running.address, pass);
      const words = ['move', 'from', 'listmonk', file, '--topic', 'news', '--base-url', proxy.url];
      const { program, args, env } = svcCommand(words, { key });
      const command = [program, ...args].map((word) => `'${word}'`).join(' ');
      const child = spawn(terminal, ['-qec', command, '/dev/null'], { env: { ...env, NO_COLOR: '1', TERM: 'xterm' } });
      const screen = await text(child.stdout);
      await proxy.close();
      const lines = screen.split('\n').filter((line) => line.includes('waiting'));
      expect(lines, 'the line is replaced').to.have.length(1);
      expect(lines[0]).to.match(/\r\u001b\[2Kreading; waiting [123] s: Too many requests: 600 a minute … \d s/);
      expect(screen).to.match(/1 {2}contacts created/);
    });
  });
}

const errorOf = (code: string, message: string): string =>
  JSON.stringify({ error: { code, message, fix: 'Repeat the call.', requestId: 'r' } });
const unavailable = errorOf('unavailable', 'The server cannot answer now: the database is away.');
const limited = errorOf('rate_limited', 'Too many requests: 600 a minute.');
