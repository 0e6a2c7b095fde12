import { expect } from 'chai';
import { strangerHolder } from '#core/kernel/limits/holder-of.js';
import { createKeyRateLimiter } from '#core/kernel/limits/key-rate-limit.js';
import { idBytes } from '#core/runtime/id.js';
import { seconds } from '#test/support/clock.js';
import { apiAt, type Api, type RawAnswer } from '#test/support/api.js';
import { untilWaiting } from '#test/support/lock-waits.js';
import { usePlatform, type TestNode } from '#test/support/platform.js';
import { codeOf, partOf } from './support/lab.js';

/** `count` calls, forty at once; how they were answered. */
async function burst(api: Api, count: number): Promise<{ passed: number; refused: RawAnswer[] }> {
  const refused: RawAnswer[] = [];
  let left = count;
  const caller = async (): Promise<void> => {
    while (left-- > 0) {
      const answer = await api.raw('/developers/key/current', '{}');
      if (answer.status !== 200) refused.push(answer);
    }
  };
  await Promise.all(Array.from({ length: 40 }, caller));
  for (const answer of refused) expect([answer.status, codeOf(answer)]).to.deep.equal([429, 'rate_limited']);
  return { passed: count - refused.length, refused };
}

describe('The limit of 600 requests a minute per key', () => {
  const platform = usePlatform();
  const second: { node?: TestNode } = {};
  before(async () => (second.node = await platform.secondNode()));

  async function twoNodes(): Promise<{ here: Api; there: Api }> {
    const { svc, keys } = await platform.account();
    if (!second.node) throw new Error('There is no second node.');
    return { here: svc, there: second.node.as(keys.live.secret) };
  }

  it('lets exactly 600 of 700 pass, tells the others when to come again, and lets them pass then', async () => {
    const { svc } = await platform.account();
    const { passed, refused } = await burst(svc, 700);
    expect(passed).to.equal(600);
    for (const { headers, text } of refused) {
      const wait = Number(headers.get('Retry-After'));
      expect(wait).to.be.within(1, 61);
      expect(String(partOf(text, 'error')['fix'])).to.contain(`Wait ${wait} seconds`);
    }
    platform.clock.advance(seconds(Number(refused[0]?.headers.get('Retry-After'))));
    expect((await burst(svc, 600)).passed).to.equal(600);
  });

  it('slides: requests of 61 seconds ago are free again, and no others', async () => {
    const { svc } = await platform.account();
    expect((await burst(svc, 250)).passed).to.equal(250);
    platform.clock.advance(seconds(40));
    expect((await burst(svc, 350)).passed).to.equal(350);
    platform.clock.advance(seconds(15));
    expect((await burst(svc, 10)).passed).to.equal(0);
    platform.clock.advance(seconds(7));
    expect((await burst(svc, 300)).passed).to.equal(250);
  });

  for (const [onHere, onThere] of [
    [350, 350],
    [650, 50],
  ] as const) {
    it(`holds across two nodes at once: ${onHere} on one, ${onThere} on the other`, async () => {
      const { here, there } = await twoNodes();
      const both = await Promise.all([burst(here, onHere), burst(there, onThere)]);
      expect(both.reduce((sum, { passed }) => sum + passed, 0)).to.equal(600);
    });
  }

  it('holds when one node comes late, while the other still has tokens reserved ahead', async () => {
    const { here, there } = await twoNodes();
    // A second burst reserves as much ahead as the first one used.
    const ahead = (await burst(there, 40)).passed + (await burst(there, 1)).passed;
    expect(ahead).to.equal(41);
    expect((await burst(here, 600)).passed).to.equal(559);
    expect((await burst(there, 100)).passed).to.equal(0);
  });

  it('does not let one key’s storm disturb nine others', async () => {
    const accounts = await Promise.all(Array.from({ length: 5 }, () => platform.account()));
    const [storm, ...others] = accounts.flatMap(({ svc, svcTest }) => [svc, svcTest]);
    if (!storm) throw new Error('There is no key.');
    const [stormy, ...calm] = await Promise.all([burst(storm, 640), ...others.map((api) => burst(api, 15))]);
    expect(stormy.passed).to.equal(600);
    expect(calm.map(({ passed }) => passed)).to.deep.equal(others.map(() => 15));
  });

  it('counts refused and failed calls too, but none without a valid key', async () => {
    const { svc } = await platform.account();
    await svc.refusal('developers.key.revoke', { keyId: 'no id' });
    await svc.refusal('auth.nothing.here', {});
    await svc.refusal('developers.key.current', {}, { key: 'svc_live_unknown' });
    const { rateLimit } = await svc.call('developers.key.current', {});
    expect(rateLimit).to.include({ limit: 600, remaining: 598 });
  });

  it('continues after the key is rotated', async () => {
    const { svc } = await platform.account();
    const { key } = await svc.call('developers.key.current', {});
    expect((await burst(svc, 595)).passed).to.equal(595);
    const { plaintext } = await svc.call('developers.key.rotate', { keyId: key?.id ?? '' });
    const rotated = { key: plaintext };
    // 597 requests: one to read the key's id, 595 and the rotation.
    for (const left of [2, 1, 0])
      expect((await svc.call('developers.key.current', {}, rotated)).rateLimit.remaining).to.equal(left);
    expect((await svc.refusal('developers.key.current', {}, rotated)).code).to.equal('rate_limited');
  });

  it('shows on either node what is left of the minute, and when all of it is back', async () => {
    const { here, there } = await twoNodes();
    await burst(here, 100);
    const { rateLimit } = await there.call('developers.key.current', {});
    expect(rateLimit.limit).to.equal(600);
    // The tokens that the other node has reserved are not this one's to use.
    expect(rateLimit.remaining).to.be.within(435, 499);
    const wait = new Date(rateLimit.resetsAt).getTime() - platform.clock.now().getTime();
    expect(wait).to.be.within(60_000, 61_000);
    platform.clock.advance(wait);
    expect((await here.call('developers.key.current', {})).rateLimit.remaining).to.equal(599);
  });

  it('survives a restart, which returns what was reserved ahead', async () => {
    const { svc } = await platform.account();
    await burst(svc, 100);
    await burst(svc, 1);
    await platform.restart();
    expect((await svc.call('developers.key.current', {})).rateLimit.remaining).to.equal(498);
  });

  it('loses no request at a stop while tokens are being reserved ahead', async () => {
    const { svc } = await platform.account();
    const { database, log } = platform.running.services;
    const { key } = await svc.call('developers.key.current', {});
    const keyId = key?.id ?? '';
    const lockRow = async (): Promise<() => Promise<void>> => {
      const { session, release } = await database.acquire();
      await session.run('START TRANSACTION');
      await session.rows('SELECT ledger FROM svc_ceiling WHERE key_id = ? FOR UPDATE', [idBytes(keyId)]);
      return async () => {
        await session.run('COMMIT');
        await release();
      };
    };
    const limiter = createKeyRateLimiter(database, platform.clock, log);
    for (let request = 0; request < 10; request += 1) await limiter.take(keyId, strangerHolder('127.0.0.1'));
    const unlock = await lockRow();
    // At the end of such a second, tokens for the next one are reserved.
    await untilWaiting(platform, 1, 'the reservation waits for the row');
    const stopping = limiter.stop();
    await unlock();
    await stopping;
    expect((await createKeyRateLimiter(database, platform.clock, log).status(database, keyId)).remaining).to.equal(589);
  });
});

describe('The requests of one IP address with a publishable key', () => {
  const platform = usePlatform({ settings: () => ({ SVC_TRUST_PROXY: '127.0.0.1' }) });

  /** `count` calls from an address. @returns how many were answered, and one that was not */
  async function callsFrom(ip: string, key: string, count: number, api: Api = platform.api) {
    const answers: RawAnswer[] = [];
    for (let each = 0; each < count; each += 1)
      answers.push(await api.raw('/developers/key/current', '{}', { key, headers: { 'X-Forwarded-For': ip } }));
    const isLimited = ({ status }: RawAnswer): boolean => status === 429;
    return { passed: answers.filter((answer) => !isLimited(answer)).length, refused: answers.find(isLimited) };
  }

  it('are 120 a minute, so that one address cannot use up the key of all users of an app', async () => {
    const { keys } = await platform.account();
    const key = keys.live.publishable;
    const { passed, refused } = await callsFrom('198.51.100.1', key, 650);
    expect(passed).to.equal(120);
    expect(refused && codeOf(refused)).to.equal('rate_limited');
    expect(refused?.text).to.contain('120 per minute per publishable key and IP address');
    expect(Number(refused?.headers.get('Retry-After'))).to.be.within(1, 61);
    expect((await callsFrom('198.51.100.2', key, 100)).passed).to.equal(100);
    platform.clock.advance(seconds(61));
    expect((await callsFrom('198.51.100.1', key, 100)).passed).to.equal(100);
  });

  it('count together for the whole site of an IPv6 address, and apart for each key', async () => {
    const { keys } = await platform.account();
    const key = keys.live.publishable;
    expect((await callsFrom('2001:db8:7::1', key, 130)).passed).to.equal(120);
    expect((await callsFrom('2001:db8:7:1::9', key, 5)).passed).to.equal(0);
    expect((await callsFrom('2001:db8:8::1', key, 5)).passed).to.equal(5);
    expect((await callsFrom('2001:db8:7::1', keys.test.publishable, 5)).passed).to.equal(5);
  });

  it('count on all nodes, and not for secret keys', async () => {
    const { keys } = await platform.account();
    const second = await platform.secondNode();
    const key = keys.live.publishable;
    expect((await callsFrom('198.51.100.3', key, 130)).passed).to.equal(120);
    // Only the first ten of a minute are counted by each node alone.
    expect((await callsFrom('198.51.100.3', key, 50, second.as(key))).passed).to.equal(10);
    expect((await callsFrom('198.51.100.3', keys.live.secret, 200)).passed).to.equal(200);
  });
});

describe('SVC_ENVIRONMENT_REQUESTS', () => {
  const platform = usePlatform({ settings: () => ({ SVC_ENVIRONMENT_REQUESTS: '100' }) });

  it('limits the requests that all keys of an environment make together, and no other environment', async () => {
    const { svc, svcTest } = await platform.account();
    const { plaintext } = await svc.call('developers.key.create', { name: 'Second', permissions: ['developers:read'] });
    const second = apiAt(
      () => platform.running.address,
      () => plaintext,
    );
    const both = await Promise.all([burst(svc, 80), burst(second, 80)]);
    // The key was created by one call more.
    expect(both.reduce((sum, { passed }) => sum + passed, 0)).to.equal(99);
    const [refused] = both.flatMap((each) => each.refused);
    expect(refused?.text).to.contain('100 per minute per environment');
    expect(Number(refused?.headers.get('Retry-After'))).to.be.within(1, 61);
    expect((await burst(svcTest, 50)).passed).to.equal(50);
    platform.clock.advance(seconds(61));
    expect((await burst(second, 50)).passed).to.equal(50);
  });
});
