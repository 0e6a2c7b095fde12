import { expect } from 'chai';
import type { NamedLimit } from '#core/kernel/limits/named-limit.js';
import {
  perEnvironment as perEnvironmentOf,
  perInput,
  perIp,
  type LimitWindow,
} from '#core/kernel/limits/named-limit.js';
import { definePlugin } from '#core/kernel/plugin.js';
import { definePort } from '#core/kernel/port.js';
import { provide } from '#core/kernel/provision.js';
import { defineOperation, type Operation } from '#core/kernel/operation.js';
import { boolean, object, optional, text } from '#core/kernel/schema/schema.js';
import { minutes, seconds } from '#test/support/clock.js';
import type { Api, RawAnswer } from '#test/support/api.js';
import { usePlatform, type TestNode } from '#test/support/platform.js';
import { codeOf, lab, partOf } from './support/lab.js';

const perEnvironment = (name: string, max: number, windowSeconds: number): NamedLimit =>
  perEnvironmentOf({ name, max, windowSeconds, description: `${max} per ${windowSeconds} s per environment` });

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

/** What the environment's settings say of a limit, read through another product's port. */
const settings = definePort<{ window(): Promise<LimitWindow> }>('lab.settings');
const set: { window: LimitWindow } = { window: { max: 5, windowSeconds: 600 } };

const start = defineOperation({
  name: 'lab.sign.start',
  summary: 'Be counted by address, if there is one.',
  access: 'secret',
  limits: [
    perInput({ name: 'lab.start', max: 2, windowSeconds: 60, description: '2 per address in a minute' }, readEmail),
  ],
  input: object({ email: optional(text()) }),
  output: object({ done: boolean() }),
  example: { input: {}, output: { done: true } },
  handle: async () => ({ done: true }),
});
function readEmail({ email }: { email?: string }): string | undefined {
  return email?.toLowerCase();
}
const settable = limited('lab.limited.settable', 'secret', {
  ...perEnvironmentOf({ name: 'lab.settable', max: 1, windowSeconds: 1, description: '5 per environment, settable' }),
  settings: ({ use }) => use(settings).window(),
});
const product = definePlugin({
  ...lab(start, settable),
  provides: [provide(settings, () => ({ window: async () => set.window }))],
});

describe('A limit by input or settings', () => {
  const platform = usePlatform({ plugins: [product] });
  beforeEach(() => (set.window = { max: 5, windowSeconds: 600 }));

  const passed = async (svc: Api, path: string, count: number, input: object = {}): Promise<number> => {
    let some = 0;
    for (let call = 0; call < count; call += 1)
      if ((await svc.raw(path, JSON.stringify(input))).status === 200) some += 1;
    return some;
  };

  it('counts by a field of the input, in each environment by itself, and keeps no address', async () => {
    const { svc, svcTest } = await platform.account();
    expect(await passed(svc, '/lab/sign/start', 3, { email: 'Ada@example.com' })).to.equal(2);
    expect(await passed(svc, '/lab/sign/start', 1, { email: 'ada@example.com' })).to.equal(0);
    expect(await passed(svc, '/lab/sign/start', 1, { email: 'bob@example.com' })).to.equal(1);
    expect(await passed(svcTest, '/lab/sign/start', 3, { email: 'ada@example.com' })).to.equal(2);
    const rows = await platform.running.services.database.rows<{ id: Buffer }>('SELECT id FROM svc_limit');
    for (const { id } of rows) expect(id).to.have.length(32);
  });

  it('does not count a call without the field', async () => {
    const { svc } = await platform.account();
    expect(await passed(svc, '/lab/sign/start', 8)).to.equal(8);
  });

  it('uses the environment’s own numbers, and states them when it refuses', async () => {
    const { svc } = await platform.account();
    expect(await passed(svc, '/lab/limited/settable', 6)).to.equal(5);
    const { message, fix } = await svc.refusal('lab.limited.settable', {});
    expect(message).to.contain('5 in 600 seconds');
    expect(fix).to.contain('Wait 600 seconds');
  });

  it('that is raised allows the difference at once', async () => {
    const { svc } = await platform.account();
    expect(await passed(svc, '/lab/limited/settable', 9)).to.equal(5);
    set.window = { max: 8, windowSeconds: 600 };
    expect(await passed(svc, '/lab/limited/settable', 9)).to.equal(3);
  });

  it('that is lowered is compared with the running count at once', async () => {
    const { svc } = await platform.account();
    expect(await passed(svc, '/lab/limited/settable', 3)).to.equal(3);
    set.window = { max: 3, windowSeconds: 600 };
    expect(await passed(svc, '/lab/limited/settable', 2)).to.equal(0);
  });

  it('whose window is shortened ends within the new window', async () => {
    const { svc } = await platform.account();
    await passed(svc, '/lab/limited/settable', 5);
    set.window = { max: 5, windowSeconds: 60 };
    expect(await passed(svc, '/lab/limited/settable', 1)).to.equal(0);
    platform.clock.advance(minutes(1));
    expect(await passed(svc, '/lab/limited/settable', 1)).to.equal(1);
  });
});

describe('An operation’s own limit', () => {
  const platform = usePlatform({
    settings: () => ({ SVC_TRUST_PROXY: '127.0.0.0/8' }),
    plugins: [
      lab(
        limited('lab.limited.five', 'secret', perEnvironment('lab.five', 5, 600)),
        limited('lab.limited.twin', 'secret', perEnvironment('lab.five', 5, 600)),
        limited('lab.limited.other', 'secret', perEnvironment('lab.other', 5, 600)),
        limited('lab.limited.two', 'secret', perEnvironment('lab.short', 2, 10), perEnvironment('lab.long', 3, 600)),
        limited(
          'lab.limited.ip',
          'public',
          perIp({ name: 'lab.ip', max: 2, windowSeconds: 60, description: '2 a minute' }),
        ),
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

  it('checks every limit that an operation has', async () => {
    const { svc } = await platform.account();
    expect(await calls([svc], '/lab/limited/two', 5)).to.equal(2);
    platform.clock.advance(seconds(10));
    expect(await calls([svc], '/lab/limited/two', 5)).to.equal(1);
  });

  it('is not used up, not even for a moment, by calls that a limit before it refuses', async () => {
    for (let round = 0; round < 25; round += 1) {
      const { svc } = await platform.account();
      expect(await calls([svc], '/lab/limited/two', 5), `round ${round}`).to.equal(2);
    }
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

  it('counts an IPv4 address in every spelling, and an IPv6 address with its /64 network', async () => {
    const from = async (ip: string): Promise<number> =>
      (await platform.api.raw('/lab/limited/ip', '{}', proxied(ip))).status;
    for (const spellings of [
      ['198.51.100.7', '::ffff:198.51.100.7', '198.51.100.7:4711', '[::FFFF:c633:6407]:80'],
      ['2001:db9:1:2::1', '2001:DB9:1:2:0:0:0:1', '[2001:db9:1:2:ffff::9]:4711', '2001:db9:1:2:3:4:5:6'],
    ]) {
      const statuses: number[] = [];
      for (const spelling of spellings) statuses.push(await from(spelling));
      expect(statuses, spellings[0]).to.deep.equal([200, 200, 429, 429]);
    }
    expect(await from('2001:db9:1:3::1')).to.equal(200);
  });
});
