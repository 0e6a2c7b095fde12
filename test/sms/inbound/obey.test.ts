import { expect } from 'chai';
import type { TestAccount } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { useTwilio } from '../twilio-platform.js';
import { deliver, numberOf, phone } from './support.js';

describe('keywords in received texts', () => {
  needProducts('audience');
  const given = useTwilio();
  const { platform } = given;

  const standing = async ({ svc }: TestAccount): Promise<string[]> =>
    (await svc.call('audience.suppression.list', { phone })).suppressions
      .filter(({ liftedAt }) => liftedAt === null)
      .map(({ reason }) => reason);
  const keywords = async ({ svc }: TestAccount): Promise<(string | null)[]> =>
    (await svc.call('sms.inbound.list', {})).inbound.map(({ keyword }) => keyword);

  it('STOP suppresses the sender in the number’s environment alone, START lifts it', async () => {
    const [account, other] = [await platform.account(), await platform.account()];
    const { number } = await numberOf(account);
    await deliver(given, { to: number, body: ' Stop. ' });
    expect(await standing(account)).to.deep.equal(['stop']);
    expect(await standing(other)).to.deep.equal([]);
    const types = (await platform.events(account.live)).map(({ type }) => type);
    expect(types).to.include('audience.suppression.added').and.to.include('sms.inbound.received');
    await deliver(given, { to: number, body: 'START' });
    expect(await standing(account)).to.deep.equal([]);
    expect(await keywords(account)).to.deep.equal(['start', 'stop']);
  });

  it('YES is an answer to something else, unless the sender has said STOP', async () => {
    const account = await platform.account();
    const { number } = await numberOf(account);
    await deliver(given, { to: number, body: 'Yes' });
    await deliver(given, { to: number, body: 'STOPP' });
    await deliver(given, { to: number, body: 'Yes' });
    expect(await keywords(account)).to.deep.equal(['start', 'stop', null]);
    expect(await standing(account)).to.deep.equal([]);
  });

  it('a text that says more ends nothing', async () => {
    const account = await platform.account();
    const { number } = await numberOf(account);
    await deliver(given, { to: number, body: 'Please stop by at five' });
    expect(await standing(account)).to.deep.equal([]);
    expect(await keywords(account)).to.deep.equal([null]);
  });
});
