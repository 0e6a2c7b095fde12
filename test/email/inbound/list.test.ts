import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { expectedFields, refusedFields, type RefusedCases } from '../support.js';
import { inboundSecret, ownDomain, rawMail, receive } from './support.js';

describe('email.inbound.list', () => {
  const platform = usePlatform({ settings: () => ({ SVC_INBOUND_SECRET: inboundSecret }) });

  it('pages through received mail, newest first, also while more arrives', async () => {
    const account = await platform.account();
    const all: string[] = [];
    const one = async (n: number): Promise<string> => receive(platform, account, rawMail({ 'Message-ID': `<${n}@x>` }));
    for (let n = 0; n < 5; n += 1) all.unshift(await one(n));
    const first = await account.svc.call('email.inbound.list', { limit: 2 });
    await one(5);
    const second = await account.svc.call('email.inbound.list', { limit: 3, before: first.nextBefore ?? '' });
    const ids = [...first.inbound, ...second.inbound].map(({ inboundId }) => inboundId);
    expect([ids, second.nextBefore]).to.deep.equal([all, null]);
  });

  it('finds mail by its recipients and by its senders', async () => {
    const account = await platform.account();
    const own = await ownDomain(account);
    const a = await receive(platform, account, rawMail({ To: 'Team <team@example.org>', Cc: 'eve@example.org' }), {
      from: 'bounces@example.com',
    });
    const b = await receive(
      platform,
      account,
      rawMail({ From: 'Bob <BOB@example.com>', 'Reply-To': 'bob@home.example' }),
      {
        to: `sales@${own}`,
      },
    );
    const ids = async (filter: { to?: string; from?: string }): Promise<string[]> =>
      (await account.svc.call('email.inbound.list', filter)).inbound.map(({ inboundId }) => inboundId);
    expect(await ids({ to: `help@${own}` })).to.deep.equal([a]);
    expect(await ids({ to: `SALES@${own}` })).to.deep.equal([b]);
    expect(await ids({ to: 'eve@example.org' })).to.deep.equal([a]);
    expect(await ids({ to: 'ada@example.com' }), 'a sender').to.deep.equal([]);
    expect(await ids({ from: 'bob@example.com' })).to.deep.equal([b]);
    expect(await ids({ from: 'bob@home.example' })).to.deep.equal([b]);
    expect(await ids({ from: 'bounces@example.com' })).to.deep.equal([a]);
    expect(await ids({ from: 'ada@example.com' }), 'in From of one, in the envelope of the other').to.deep.equal([
      b,
      a,
    ]);
    expect(await ids({ from: 'ada@example.com', to: `sales@${own}` })).to.deep.equal([b]);
  });

  it('refuses invalid filters', async () => {
    const { svc } = await platform.account();
    const cases: RefusedCases = [
      ['limit 101', { limit: 101 }, 'limit'],
      ['to', { to: 'help' }, 'to'],
      ['from', { from: 'a@x.com, b@y.com' }, 'from'],
      ['before', { before: 'x' }, 'before'],
      ['unknown', { subject: 'x' }, 'subject'],
    ];
    expect(await refusedFields(svc, 'email.inbound.list', cases)).to.deep.equal(expectedFields(cases));
  });
});
