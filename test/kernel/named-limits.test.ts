import { expect } from 'chai';
import { isTenant } from '#core/kernel/caller/caller.js';
import type { NamedLimit } from '#core/kernel/limits/named-limit.js';
import { perIp } from '#core/kernel/limits/named-limit.js';
import { defineOperation, type Operation } from '#core/kernel/operation.js';
import { boolean, object, optional, text } from '#core/kernel/schema/schema.js';
import { minutes, seconds } from '#test/support/clock.js';
import type { Api, RawAnswer } from '#test/support/api.js';
import { usePlatform, type TestNode } from '#test/support/platform.js';
import { codeOf, lab, partOf } from './support/lab.js';

const perEnvironment = (name: string, max: number, windowSeconds: number): NamedLimit => ({
  name,
  max,
  windowSeconds,
  words: `${max} per ${windowSeconds} s per environment`,
  by: (caller) => (isTenant(caller) ? caller.environment.id : 'nobody'),
});

const limited = (name: string, access: 'secret' | 'public', ...limits: NamedLimit[]): Operation =>
  defineOperation({
    name,
    summary: 'Be counted.',
    access,
    impact: { read: true },
    limits,
    input: object({ note: optional(text()) }),
    output: object({ done: boolean() }),
    example: { input: {}, output: { done: true } },
    handle: async () => ({ done: true }),
  });

const proxied = (ip: string): { headers: Record<string, string> } => ({ headers: { 'X-Forwarded-For': ip } });

describe('An operation’s own limit', () => {
  const platform = usePlatform({
    settings: () => ({ SVC_TRUST_PROXY: '127.0.0.0/8' }),
    plugins: [
      lab(
        limited('lab.limited.five', 'secret', perEnvironment('lab.five', 5, 600)),
        limited('lab.limited.twin', 'secret', perEnvironment('lab.five', 5, 600)),
        limited('lab.limited.other', 'secret', perEnvironment('lab.other', 5, 600)),
        limited('lab.limited.two', 'secret', perEnvironment('lab.short', 2, 10), perEnvironment('lab.long', 3, 600)),
        limited('lab.limited.ip', 'public', perIp({ name: 'lab.ip', max: 2, windowSeconds: 60, words: '2 a minute' })),
      ),
    ],
  });
  const second: { node?: TestNode } = {};
  before(async () => (second.node = await platform.secondNode()));

  const calls = async (apis: readonly Api[], path: string, count: number): Promise<number> => {
    const answers = await Promise.all(
      Array.from({ length: count }, async (_, index) => apis[index % apis.length]?.raw(path, '{}')),
    );
    return answers.filter((answer) => answer?.status === 200).length;
  };

  it('lets exactly five of fifty racers pass', async () => {
    const { svc } = await platform.account();
    expect(await calls([svc], '/lab/limited/five', 50)).to.equal(5);
    expect(await calls([svc], '/lab/limited/five', 20)).to.equal(0);
  });

  it('lets exactly five of fifty racers on two nodes pass', async () => {
    const { svc, keys } = await platform.account();
    const apis = [svc, second.node?.as(keys.live.secret) ?? svc];
    expect(await calls(apis, '/lab/limited/five', 50)).to.equal(5);
  });

  it('names the limit and states the seconds in fix, and sets no retry-after', async () => {
    const { svc } = await platform.account();
    await calls([svc], '/lab/limited/five', 5);
    platform.clock.advance(seconds(120));
    const refused = await svc.raw('/lab/limited/five', '{}');
    expect([refused.status, codeOf(refused), refused.headers.get('Retry-After')]).to.deep.equal([
      429,
      'rate_limited',
      null,
    ]);
    const { message, fix } = partOf(refused.text, 'error');
    expect(message).to.contain('5 per 600 s per environment');
    expect(fix).to.contain('Wait 480 seconds');
  });

  it('opens a new window when the old one is over, however often it was refused meanwhile', async () => {
    const { svc } = await platform.account();
    await calls([svc], '/lab/limited/five', 5);
    platform.clock.advance(minutes(10) - 1);
    expect(await calls([svc], '/lab/limited/five', 10)).to.equal(0);
    platform.clock.advance(1);
    expect(await calls([svc], '/lab/limited/five', 10)).to.equal(5);
  });

  it('is counted per environment, and together by operations that share its name', async () => {
    const { svc, svcTest } = await platform.account();
    expect(await calls([svc], '/lab/limited/five', 3)).to.equal(3);
    expect(await calls([svc], '/lab/limited/twin', 10)).to.equal(2);
    expect(await calls([svc], '/lab/limited/other', 10)).to.equal(5);
    expect(await calls([svcTest], '/lab/limited/five', 10)).to.equal(5);
  });

  it('asks every limit that an operation has', async () => {
    const { svc } = await platform.account();
    expect(await calls([svc], '/lab/limited/two', 5)).to.equal(2);
    platform.clock.advance(seconds(10));
    expect(await calls([svc], '/lab/limited/two', 5)).to.equal(1);
  });

  it('counts no call whose input is refused', async () => {
    const { svc } = await platform.account();
    for (let call = 0; call < 5; call += 1) await svc.refusal('lab.limited.five', { unknown: true });
    expect(await calls([svc], '/lab/limited/five', 10)).to.equal(5);
  });

  it('is counted per client address for public operations, and keeps no address', async () => {
    const from = (ip: string): Promise<RawAnswer> => platform.api.raw('/lab/limited/ip', '{}', proxied(ip));
    const ada = [await from('203.0.113.7'), await from('203.0.113.7'), await from('203.0.113.7')];
    expect(ada.map((answer) => answer.status)).to.deep.equal([200, 200, 429]);
    expect((await from('203.0.113.8')).status).to.equal(200);
    const rows = await platform.running.services.database.rows<{ id: Buffer }>('SELECT * FROM svc_limit');
    const table = JSON.stringify(rows.map((row) => [row, row.id.toString('latin1')]));
    expect(rows.length).to.be.greaterThan(0);
    expect(table).to.not.contain('203.0.113');
    for (const row of rows) expect(row.id).to.have.length(32);
  });
});
