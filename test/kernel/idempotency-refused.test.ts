import { expect } from 'chai';
import { perEnvironment } from '#core/kernel/limits/named-limit.js';
import { defineOperation } from '#core/kernel/operation.js';
import { count, object, text } from '#core/kernel/schema/schema.js';
import { apiAt, type Api, type RawAnswer } from '#test/support/api.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform, type TestNode } from '#test/support/platform.js';
import { testAuth } from './support/auth.js';
import { codeOf, newKey, replayed } from './support/lab.js';

const limited = (name: string, max: number) =>
  defineOperation({
    name,
    summary: 'Count the letters of a name.',
    access: 'secret',
    limits: [perEnvironment({ name, max, windowSeconds: 600, description: `${max} in 10 minutes` })],
    input: object({ name: text() }),
    output: object({ letters: count() }),
    example: { input: { name: 'a' }, output: { letters: 1 } },
    async handle({ name }, { audit }) {
      audit({ summary: 'Counted.' });
      return { letters: name.length };
    },
  });

const sign = defineOperation({
  name: 'lab.paper.sign',
  summary: 'Sign as the signed-in user.',
  access: 'user',
  needs: { recentSignIn: true },
  input: object({ accessToken: text(), name: text() }),
  output: object({ letters: count() }),
  example: { input: { accessToken: 't', name: 'a' }, output: { letters: 1 } },
  async handle({ name }, { audit }) {
    audit({ summary: 'Signed.' });
    return { letters: name.length };
  },
});

describe('Idempotency-Key: a repeat that a limit or need of the operation refuses now', () => {
  const auth = testAuth(() => platform.clock.now());
  const platform = usePlatform({
    plugins: [auth.plugin(limited('lab.thing.once', 1), limited('lab.thing.twice', 2), sign)],
  });
  const second: { node?: TestNode } = {};
  before(async () => (second.node = await platform.secondNode()));

  const post = (api: Api, path: string, name: string, idempotencyKey: string): Promise<RawAnswer> =>
    api.raw(path, JSON.stringify({ name }), { idempotencyKey });
  const expectRepeat = (repeat: RawAnswer, first: RawAnswer): void => {
    expect([repeat.status, repeat.text, replayed(repeat)]).to.deep.equal([200, first.text, true]);
  };
  const expectRefused = (answer: RawAnswer, code: string): void => {
    expect(codeOf(answer)).to.equal(code);
  };

  it('gets its stored answer while the limit refuses new calls, on each node', async () => {
    const { svc, keys } = await platform.account();
    const other = second.node?.as(keys.live.secret) ?? svc;
    const key = newKey();
    const first = await post(svc, '/lab/thing/once', 'ada', key);
    expectRefused(await post(svc, '/lab/thing/once', 'ada', newKey()), 'rate_limited');
    expectRepeat(await post(svc, '/lab/thing/once', 'ada', key), first);
    expectRepeat(await post(other, '/lab/thing/once', 'ada', key), first);
  });

  it('is a repeat only with the same input: others are refused, and count', async () => {
    const { svc, keys } = await platform.account();
    const other = second.node?.as(keys.live.secret) ?? svc;
    const key = newKey();
    await post(svc, '/lab/thing/twice', 'ada', key);
    expectRefused(await post(svc, '/lab/thing/twice', 'bob', key), 'idempotency_mismatch');
    expectRefused(await post(svc, '/lab/thing/twice', 'bob', key), 'rate_limited');
    expectRefused(await post(other, '/lab/thing/twice', 'bob', key), 'rate_limited');
  });

  it('does not count against the limit on the node that answered the first call', async () => {
    const { svc } = await platform.account();
    const key = newKey();
    const first = await post(svc, '/lab/thing/twice', 'ada', key);
    for (let repeat = 0; repeat < 3; repeat += 1) expectRepeat(await post(svc, '/lab/thing/twice', 'ada', key), first);
    expect((await post(svc, '/lab/thing/twice', 'ada', newKey())).status).to.equal(200);
    expectRefused(await post(svc, '/lab/thing/twice', 'ada', newKey()), 'rate_limited');
  });

  it('gets its stored answer after the sign-in is no longer recent, in the same session only', async () => {
    const { live, keys } = await platform.account();
    const here = apiAt(
      () => platform.running.address,
      () => keys.live.publishable,
    );
    const there = second.node?.as(keys.live.publishable) ?? here;
    const accessToken = auth.signIn(live);
    const elsewhere = auth.signIn(live);
    const key = newKey();
    const call = (api: Api, token: string, idempotencyKey: string): Promise<RawAnswer> =>
      api.raw('/lab/paper/sign', JSON.stringify({ accessToken: token, name: 'ada' }), { idempotencyKey });
    const first = await call(here, accessToken, key);
    expect(first.status).to.equal(200);
    platform.clock.advance(minutes(11));
    expectRefused(await call(here, accessToken, newKey()), 'reauth_required');
    expectRefused(await call(here, elsewhere, key), 'reauth_required');
    const refreshed = auth.refresh(accessToken);
    expectRepeat(await call(here, refreshed, key), first);
    expectRepeat(await call(there, refreshed, key), first);
  });
});
