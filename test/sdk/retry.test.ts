import { expect } from 'chai';
import { passes } from '#core/kernel/errors/errors.js';
import { findPlugins } from '#core/kernel/registry/find-plugins.js';
import { createRegistry } from '#core/kernel/registry/registry.js';
import { isRetryable } from '#core/surfaces/sdk/retry.js';
import { isSvcError, Svc, SvcError, type SvcOptions } from '#core/surfaces/sdk/index.js';
import { answers, breaks, hangs, refuses, rejectionOf, useScript } from './support.js';

describe('The SDK retries a call', () => {
  const script = useScript();
  let waits: number[] = [];
  beforeEach(() => (waits = []));

  const client = (options: Partial<SvcOptions> = {}): Svc =>
    new Svc({
      baseUrl: script.address,
      apiKey: 'svc_test_key',
      random: () => 1,
      sleep: async (milliseconds) => void waits.push(milliseconds),
      ...options,
    });
  const send = (svc: Svc): Promise<unknown> =>
    svc.email.send({ to: 'ada@example.com', subject: 'Hello', text: 'Hello' });
  const keys = (): unknown[] => script.arrived.map(({ headers }) => headers['idempotency-key']);
  const sent = answers({ messageId: 'm' });

  it('with the same Idempotency-Key; other calls get other keys', async () => {
    script.plays(refuses(503, 'unavailable'), breaks, sent);
    const svc = client();
    await send(svc);
    await send(svc);
    const [first, second, third, other] = keys();
    expect(first).to.match(/^[0-9a-f]{32}$/);
    expect([second, third]).to.deep.equal([first, first]);
    expect(other)
      .to.match(/^[0-9a-f]{32}$/)
      .and.not.equal(first);
    expect(new Set(script.arrived.slice(0, 3).map(({ body }) => body)).size).to.equal(1);
  });

  it('with the caller’s Idempotency-Key if there is one, and without a key if the operation is retry-safe', async () => {
    script.plays(sent);
    const svc = client();
    await svc.email.send({ to: 'ada@example.com', subject: 'Hello' }, { idempotencyKey: 'order-17' });
    await svc.email.sender.set({ from: 'ada@example.com' });
    await svc.account.get();
    await svc.call('lab.newer.operation', {});
    const [given, safe, read, unknown] = keys();
    expect([given, safe, read]).to.deep.equal(['order-17', undefined, undefined]);
    expect(unknown).to.match(/^[0-9a-f]{32}$/);
  });

  it('after the seconds in retry-after, which take precedence over those in fix', async () => {
    script.plays(refuses(429, 'rate_limited', 'Wait 30 seconds, then call again.', { 'Retry-After': '7' }), sent);
    await send(client());
    expect(waits).to.deep.equal([7_000]);
  });

  it('after the seconds in fix', async () => {
    script.plays(
      refuses(429, 'rate_limited', 'Wait 12 seconds, then call again.'),
      refuses(409, 'idempotency_in_progress', 'Wait a second, then repeat the call.'),
      sent,
    );
    await send(client());
    expect(waits).to.deep.equal([12_000, 1_000]);
  });

  it('at the date in retry-after, as proxies send it', async () => {
    const date = new Date(Date.now() + 20_000).toUTCString();
    script.plays((_, response) => void response.writeHead(503, { 'Retry-After': date }).end('<h1>Busy</h1>'), sent);
    await send(client());
    expect(waits[0]).to.be.within(15_000, 20_000);
  });

  it('with exponential back-off and jitter, at most 8 seconds, if the response states no wait', async () => {
    // Its fix mentions seconds that are not a wait.
    script.plays(refuses(408, 'request_timeout', 'Send the whole body within 30 s.'));
    const error = await rejectionOf(send(client({ maxRetries: 6 })));
    expect(error).to.be.instanceOf(SvcError).and.include({ code: 'request_timeout', status: 408 });
    expect(waits).to.deep.equal([500, 1_000, 2_000, 4_000, 8_000, 8_000]);
    waits = [];
    await rejectionOf(send(client({ random: () => 0 })));
    expect(waits).to.deep.equal([250, 500]);
  });

  it('at most twice, or as often as maxRetries allows', async () => {
    script.plays(breaks);
    const error = await rejectionOf(send(client()));
    expect(error)
      .to.be.instanceOf(SvcError)
      .and.include({ code: 'connection_failed', status: 0, operation: 'email.send' });
    expect(script.arrived).to.have.length(3);
    script.plays(breaks);
    await rejectionOf(send(client({ maxRetries: 0 })));
    expect(script.arrived).to.have.length(1);
  });

  it('and names the key with which a call can be repeated later, so that it runs once', async () => {
    script.plays(breaks);
    const lost = await rejectionOf(send(client({ maxRetries: 0 })));
    const [first] = script.arrived;
    if (!isSvcError(lost)) throw lost;
    expect(lost.idempotencyKey)
      .to.match(/^[0-9a-f]{32}$/)
      .and.equal(first?.headers['idempotency-key']);
    expect(lost.fix).to.contain('call again with the idempotencyKey of this error');
    script.plays(refuses(502, ''));
    const mail = { to: 'ada@example.com', subject: 'Hello', text: 'Hello' };
    const bad = await rejectionOf(client({ maxRetries: 0 }).email.send(mail, { idempotencyKey: 'order-1' }));
    expect(bad).to.include({ idempotencyKey: 'order-1' });
    script.plays(breaks);
    const read = await rejectionOf(client({ maxRetries: 0 }).account.get());
    if (!isSvcError(read)) throw read;
    expect(read.idempotencyKey).to.equal(undefined);
    expect(read.fix).to.match(/reachable, then call again\.$/);
  });

  it('and says why there was no response', async () => {
    const refused = await rejectionOf(send(client({ maxRetries: 0, baseUrl: 'http://127.0.0.1:6000' })));
    expect(refused).to.have.property('message', 'email.send got no response: bad port.');
    expect(refused).to.have.property('fix').that.contains('refuse to connect to the port of baseUrl');
    const unknown = await rejectionOf(send(client({ maxRetries: 0, baseUrl: 'http://127.0.0.1:2' })));
    expect(unknown)
      .to.have.property('message')
      .that.equals('email.send got no response: connect ECONNREFUSED 127.0.0.1:2.');
    expect(unknown).to.have.property('fix').that.contains('running and reachable');
    for (const baseUrl of ['svc.example.com', 'localhost:8080']) {
      const noScheme = await rejectionOf(send(client({ maxRetries: 0, baseUrl })));
      expect(noScheme).to.have.property('fix').that.contains('Pass a baseUrl that begins with https:// or http://');
    }
  });

  it('never after a permanent error', async () => {
    const lasting = [
      [400, 'invalid_input'],
      [401, 'unauthenticated'],
      [403, 'forbidden'],
      [404, 'not_found'],
      [409, 'idempotency_mismatch'],
      [409, 'name_taken'],
      [429, 'challenge_locked'],
      [500, 'internal_error'],
      [502, 'provider_failed'],
      [503, 'provider_not_configured'],
    ] as const;
    for (const [status, code] of lasting) {
      script.plays(refuses(status, code, 'Wait 1 second.'));
      expect(await rejectionOf(send(client())), code).to.include({ code, status });
      expect(script.arrived, code).to.have.length(1);
    }
  });

  it('as the declarations of the errors say; it leaves slow repeats to the caller', async () => {
    const { errors } = createRegistry(await findPlugins(), []);
    const retried = (code: string, status: number): boolean =>
      isRetryable(new SvcError({ code, status, message: '', fix: '', requestId: '', operation: 'email.send' }));
    const differing = Object.entries(errors)
      .filter(([code, error]) => retried(code, error.status) !== passes(error))
      .map(([code]) => code);
    expect(differing).to.have.members(['device_pending', 'dns_lookup_failed']);
  });

  it('not when the server asks for a longer wait than the caller allows; the error states the wait', async () => {
    script.plays(refuses(429, 'auth_send_limited', 'Wait 3000 seconds, then call again.'));
    const error = await rejectionOf(send(client()));
    expect(error).to.include({
      code: 'auth_send_limited',
      retryAfter: 3000,
      fix: 'Wait 3000 seconds, then call again.',
    });
    expect([script.arrived.length, waits]).to.deep.equal([1, []]);
  });

  it('when a gateway reports that the server is down', async () => {
    script.plays((_, response) => void response.writeHead(502).end('<h1>Bad gateway</h1>'), sent);
    await send(client());
    expect(script.arrived).to.have.length(2);
  });
});

describe('A call of the SDK ends', () => {
  const script = useScript();
  const client = (options: Partial<SvcOptions> = {}): Svc => new Svc({ baseUrl: script.address, ...options });

  it('when no response arrives within the time limit of an attempt', async () => {
    script.plays(hangs, answers({ memberCount: 1 }));
    expect(await client({ timeoutMs: 60, sleep: async () => undefined }).account.get()).to.include({ memberCount: 1 });
    script.plays(hangs);
    const error = await rejectionOf(client({ maxRetries: 0 }).account.get({}, { timeoutMs: 60 }));
    expect(error).to.be.instanceOf(SvcError).and.include({ code: 'timed_out', status: 0, operation: 'account.get' });
  });

  it('when a response begins but does not end in time', async () => {
    script.plays((_, response) => void response.writeHead(200).write('{"activityId":'));
    const error = await rejectionOf(client({ maxRetries: 0, timeoutMs: 100 }).account.get());
    expect(error).to.include({ code: 'timed_out' });
  });

  it('when its signal aborts before, during or between attempts, with the signal’s reason', async () => {
    script.plays(hangs);
    const reason = new Error('The reader left.');
    expect(await rejectionOf(client().account.get({}, { signal: AbortSignal.abort(reason) }))).to.equal(reason);
    expect(script.arrived).to.have.length(0);

    const during = new AbortController();
    const call = client().account.get({}, { signal: during.signal });
    setTimeout(() => during.abort(reason), 30);
    expect(await rejectionOf(call)).to.equal(reason);

    script.plays(refuses(429, 'rate_limited', 'Wait 30 seconds, then call again.'));
    const between = new AbortController();
    const waiting = client().account.get({}, { signal: between.signal });
    setTimeout(() => between.abort(reason), 60);
    expect(await rejectionOf(waiting)).to.equal(reason);
    expect(script.arrived).to.have.length(1);
  });

  it('with unexpected_answer when the response is not from svc', async () => {
    script.plays((_, response) => void response.writeHead(200, { 'X-Request-Id': 'r' }).end('<h1>Welcome</h1>'));
    const error = await rejectionOf(client().account.get());
    expect(error).to.be.instanceOf(SvcError).and.include({ code: 'unexpected_answer', status: 200, requestId: 'r' });
  });
});
