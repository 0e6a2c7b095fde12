import { expect } from 'chai';
import { hours, seconds } from '#test/support/clock.js';
import type { Api } from '#test/support/api.js';
import { send, text, useTexts } from './support.js';

describe('sms.send: limits', () => {
  const { platform } = useTexts();

  /** The statuses of many calls at once, counted. */
  const race = async (apis: readonly Api[], eachCount: number): Promise<Record<number, number>> => {
    const calls = apis.flatMap((api) =>
      Array.from({ length: eachCount }, () => api.raw('/sms/send', JSON.stringify(text()))),
    );
    const counts: Record<number, number> = {};
    for (const { status } of await Promise.all(calls)) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };

  it('exactly 10 of many calls in a second pass, on two nodes; the others are refused, not queued', async () => {
    const account = await platform.account();
    const node = await platform.secondNode();
    const counts = await race([account.svc, node.as(account.keys.live.secret)], 15);
    expect(counts).to.deep.equal({ 200: 10, 429: 20 });
    const refused = await account.svc.refusal('sms.send', text());
    expect(refused).to.include({ status: 429, code: 'rate_limited' });
    expect(refused.message).to.contain('10 messages per second');
    expect(refused.fix).to.contain('Wait 1 second,');
    expect((await account.svc.call('sms.message.list', {})).messages).to.have.length(10);
    // Another environment has its own count.
    expect(await send(account.svcTest)).to.include({ status: 'suppressed' });
    platform.clock.advance(seconds(1));
    expect(await send(account.svc)).to.include({ status: 'queued' });
    await node.stop();
  });

  it('500 an hour pass, counted over both nodes; repeats and refused calls do not count', async () => {
    const account = await platform.account();
    await send(account.svc);
    await platform.running.services.database.run(
      `UPDATE svc_limit SET hits = 498 WHERE id = UNHEX(SHA2('sms.send hour|environment:${account.live.id}', 256))`,
    );
    const options = { idempotencyKey: 'once' };
    platform.clock.advance(seconds(1));
    const first = await account.svc.call('sms.send', text(), options);
    expect(await account.svc.refusal('sms.send', text({ to: '+33612345678' }))).to.include({ status: 403 });
    expect(await account.svc.call('sms.send', text(), options)).to.deep.equal(first);
    const node = await platform.secondNode();
    const counts = await race([account.svc, node.as(account.keys.live.secret)], 3);
    expect(counts).to.deep.equal({ 200: 1, 429: 5 });
    platform.clock.advance(seconds(2));
    const refused = await account.svc.refusal('sms.send', text());
    expect(refused.message).to.contain('500 messages per hour');
    platform.clock.advance(hours(1));
    expect(await send(account.svc)).to.include({ status: 'queued' });
    await node.stop();
  });
});
