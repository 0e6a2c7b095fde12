import { expect } from 'chai';
import { at } from '#test/support/json.js';
import { itNeeding } from '#test/support/products.js';
import { answers, breaks, forwards, hangs, losesAnswer, refuses, type Line } from '../support.js';
import type { ClientSettings, Outcome } from './driver.js';
import { call, live, mail, scripted, type Suite } from './suite.js';

const idempotencyKey = /^[0-9a-f]{32}$/;

/** When and how calls are repeated. */
export function retryCases(suite: Suite): void {
  const { language, platform, script, account, carryOut } = suite;
  describe('retries', () => {
    const send = (settings: Partial<ClientSettings> = {}, options = {}): Promise<Outcome> =>
      call(suite, 'email.send', mail, scripted(suite, settings), options);
    const keys = (): unknown[] => script.arrived.map(({ headers }) => headers['idempotency-key']);
    const sent = answers({ messageId: 'm' });

    it('with the same Idempotency-Key after a lost connection and after 503; other calls get other keys', async () => {
      script.plays(refuses(503, 'unavailable'), breaks, sent);
      expect(await send()).to.deep.equal({ result: { messageId: 'm' }, waitsMs: [500, 1_000] });
      await send();
      const [first, second, third, other] = keys();
      expect(first).to.match(idempotencyKey);
      expect([second, third]).to.deep.equal([first, first]);
      expect(other).to.match(idempotencyKey).and.not.equal(first);
    });

    it('with the caller’s key if there is one, and without a key if the operation is retry-safe', async () => {
      script.plays(sent);
      await send({}, { idempotencyKey: 'order-17' });
      await call(suite, 'email.sender.set', { from: 'ada@example.com' }, scripted(suite));
      await call(suite, 'account.get', {}, scripted(suite));
      await carryOut({ do: 'callByName', client: scripted(suite), operation: 'lab.newer.operation', input: {} });
      const [given, safe, read, unknown] = keys();
      expect([given, safe, read]).to.deep.equal(['order-17', undefined, undefined]);
      expect(unknown).to.match(idempotencyKey);
    });

    it('after the wait that the response asks for: header before fix, seconds or a date', async () => {
      const plays = async (...lines: Line[]): Promise<unknown> => {
        script.plays(...lines, sent);
        return (await send())['waitsMs'];
      };
      const limited = (fix: string, headers = {}): Line => refuses(429, 'rate_limited', fix, headers);
      expect(await plays(limited('Wait 30 seconds, then call again.', { 'Retry-After': '7' }))).to.deep.equal([7_000]);
      expect(
        await plays(
          limited('Wait 12 seconds, then call again.'),
          refuses(409, 'idempotency_in_progress', 'Wait a second, then repeat the call.'),
        ),
      ).to.deep.equal([12_000, 1_000]);
      const date = new Date(Date.now() + 20_000).toUTCString();
      const dated = await plays((_, response) => void response.writeHead(503, { 'Retry-After': date }).end('Busy'));
      expect(at(dated, '0')).to.be.within(15_000, 20_000);
      expect(await plays((_, response) => void response.writeHead(502).end('<h1>Bad gateway</h1>'))).to.deep.equal([
        500,
      ]);
      // Cloudflare's, for a server that it did not reach.
      for (const status of [504, 520, 521, 522, 523, 524, 530])
        expect(
          await plays((_, response) => void response.writeHead(status).end(`error code: ${status}`)),
        ).to.deep.equal([500]);
    });

    it('as often as maxRetries allows, with exponential back-off, then names the key for a later repeat', async () => {
      script.plays(breaks);
      const { error, waitsMs } = await send({ maxRetries: 6 });
      expect(waitsMs).to.deep.equal([500, 1_000, 2_000, 4_000, 8_000, 8_000]);
      expect(error).to.include({ code: 'connection_failed', idempotencyKey: keys()[0] });
      expect(new Set(keys()).size).to.equal(1);
      script.plays(breaks);
      const { error: read } = await call(suite, 'account.get', {}, scripted(suite, { maxRetries: 0 }));
      expect(read).to.not.have.property('idempotencyKey');
    });

    it('never after a permanent error, nor if the server asks for a longer wait than the caller allows', async () => {
      const lasting = [
        [400, 'invalid_input'],
        [401, 'unauthenticated'],
        [404, 'not_found'],
        [409, 'idempotency_mismatch'],
        [429, 'challenge_locked'],
        [500, 'internal_error'],
        [502, 'provider_failed'],
        [503, 'provider_not_configured'],
      ] as const;
      for (const [status, code] of lasting) {
        script.plays(refuses(status, code, 'Wait 1 second.'));
        expect((await send())['error'], code).to.include({ code, status });
        expect(script.arrived, code).to.have.length(1);
      }
      script.plays(refuses(429, 'auth_send_limited', 'Wait 3000 seconds, then call again.'));
      const late = await send();
      expect(late['error']).to.include({ code: 'auth_send_limited', retryAfter: 3000 });
      expect([script.arrived.length, late['waitsMs']]).to.deep.equal([1, []]);
    });

    it('a call that gets no response in time, or only a part of one', async () => {
      script.plays(hangs, answers({ memberCount: 1 }));
      expect((await call(suite, 'account.get', {}, scripted(suite, { timeoutMs: 300 })))['result']).to.include({
        memberCount: 1,
      });
      script.plays((_, response) => void response.writeHead(200).write('{"activityId":'));
      const { error } = await call(suite, 'account.get', {}, scripted(suite, { timeoutMs: 300, maxRetries: 0 }));
      expect(error).to.include({ code: 'timed_out', status: 0, operation: 'account.get' });
    });

    itNeeding('email')('so that a call whose response was lost runs once', async () => {
      const to = (): string => platform.running.address;
      script.plays(losesAnswer(to), refuses(503, 'unavailable'), forwards(to));
      const email = `${language.toLowerCase().replaceAll(' ', '-')}@example.com`;
      const invited = await call(suite, 'account.member.invite', { email }, live(suite, { baseUrl: script.address }));
      expect(script.arrived).to.have.length(3);
      const { members } = await account().svc.call('account.member.list', { limit: 100 });
      const found = members.filter((each) => each.email === email).map(({ id }) => id);
      expect(found).to.deep.equal([at(invited['result'], 'member', 'id')]);
    });

    itNeeding('email')('and says which audit record it wrote, and that a response was replayed', async () => {
      const invite = (): Promise<Outcome> =>
        carryOut({
          do: 'callByName',
          client: live(suite),
          operation: 'account.member.invite',
          input: { email: `${language.length}-replayed@example.com` },
          options: { idempotencyKey: `replay-${language.length}` },
        });
      const first = await invite();
      expect(first['activityId']).to.match(/^[0-9a-f-]{36}$/);
      expect([first['replayed'], (await invite())['replayed']]).to.deep.equal([false, true]);
      expect(await invite()).to.include({ activityId: first['activityId'] });
    });
  });
}
