import { expect } from 'chai';
import { idText } from '#core/runtime/id.js';
import { recipients, type Channel, type Eligibility } from '#plugins/audience/ports.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { contactOf, topicOf } from '#test/audience/support.js';

/** Numbers from a seed, so that a failure is seen again. */
const seeded = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648;
};

describe('Who may be reached', () => {
  const platform = usePlatform();

  const judged = (
    { live }: TestAccount,
    channel: Channel,
    topic: string | null,
    addresses: string[],
  ): Promise<Eligibility[]> =>
    platform.running.services.transaction('Test', ({ use }) =>
      use(recipients).checkEligibility(live.id, { channel, topic }, addresses),
    );
  const everybody = ({ live }: TestAccount, channel: Channel, topic: string, segmentId: string | null) =>
    platform.running.services.transaction('Test', async ({ use, db }) => {
      const { sql, parameters, columns } = await use(recipients).eligibleRecipients(
        live.id,
        { channel, topic },
        segmentId,
      );
      expect(columns).to.deep.equal(['contact_id', 'address']);
      // As a product takes it in: a derived table, whole.
      const rows = await db.rows<{ contact_id: Buffer; address: string | Buffer }>(
        `SELECT people.contact_id, people.address FROM (${sql}) people ORDER BY people.contact_id`,
        parameters,
      );
      return rows.map(({ contact_id, address }) => ({ contactId: idText(contact_id), address: String(address) }));
    });

  it('is asked of each address in its order, strangers and doubles among them', async () => {
    const account = await platform.account();
    const { svc } = account;
    await topicOf(svc);
    const { id } = await contactOf(svc, {
      email: 'ada@example.com',
      consents: [{ topic: 'news', channel: 'email', source: 'form' }],
    });
    await svc.call('audience.suppression.add', { email: 'gone@example.com' });
    const addresses = ['Ada@Example.com', 'stranger@example.com', 'gone@example.com', 'ada@example.com'];
    expect(await judged(account, 'email', 'news', addresses)).to.deep.equal([
      { address: 'Ada@Example.com', contactId: id, blockReason: null },
      { address: 'stranger@example.com', contactId: null, blockReason: 'no_consent' },
      { address: 'gone@example.com', contactId: null, blockReason: 'suppressed_recipient' },
      { address: 'ada@example.com', contactId: id, blockReason: null },
    ]);
    expect((await judged(account, 'email', null, addresses)).map(({ blockReason }) => blockReason)).to.deep.equal([
      null,
      null,
      'suppressed_recipient',
      null,
    ]);
    expect(await judged(account, 'email', 'news', [])).to.deep.equal([]);
  });

  it('says the same of one as of all, through a storm of grants, opt-outs, suppressions and archived topics', async () => {
    const account = await platform.account();
    const { svc } = account;
    const random = seeded(42);
    for (const key of ['news', 'offers']) await topicOf(svc, { key, name: key });
    const people: { email: string; phone: string; properties: { odd: boolean }; contactId: string }[] = [];
    for (let index = 0; index < 24; index += 1) {
      const facts = {
        email: `p${index}@example.com`,
        phone: `+491512345${1_000 + index}`,
        properties: { odd: index % 2 === 1 },
      };
      people.push({ ...facts, contactId: (await contactOf(svc, facts)).id });
    }
    for (const { contactId, email } of people) {
      for (const topic of ['news', 'offers']) {
        for (const channel of ['email', 'sms'] as const) {
          platform.clock.advance(1_000);
          const chance = random();
          if (chance < 0.7) await svc.call('audience.consent.grant', { contactId, topic, channel, source: 'form' });
          if (chance < 0.25) await svc.call('audience.consent.revoke', { contactId, topic, channel, source: 'call' });
        }
      }
      if (random() < 0.2) await svc.call('audience.suppression.add', { email });
    }
    const { segment } = await svc.call('audience.segment.create', {
      name: 'Odd ones',
      definition: { field: 'properties.odd', op: 'eq', value: true },
    });
    const check = async (): Promise<number> => {
      let found = 0;
      for (const topic of ['news', 'offers', 'nowhere']) {
        for (const channel of ['email', 'sms'] as const) {
          const addresses = people.map((person) => (channel === 'email' ? person.email : person.phone));
          const may = (await judged(account, channel, topic, addresses)).filter(
            ({ blockReason }) => blockReason === null,
          );
          const all = await everybody(account, channel, topic, null);
          expect(all.map(({ address }) => address)).to.have.members(may.map(({ address }) => address));
          expect(all.map(({ contactId }) => contactId)).to.have.members(may.map(({ contactId }) => contactId));
          const odd = people.filter(({ properties }) => properties.odd).map(({ contactId }) => contactId);
          expect(
            (await everybody(account, channel, topic, segment.id)).map(({ contactId }) => contactId),
          ).to.have.members(all.filter(({ contactId }) => odd.includes(contactId)).map(({ contactId }) => contactId));
          found += all.length;
        }
      }
      return found;
    };
    expect(await check()).to.be.greaterThan(20);
    await svc.call('audience.topic.archive', { topic: 'news' });
    await svc.call('audience.topic.update', { topic: 'offers', channels: ['email'] });
    expect(await everybody(account, 'email', 'news', null)).to.deep.equal([]);
    expect(await everybody(account, 'sms', 'offers', null)).to.deep.equal([]);
    expect(await check()).to.be.greaterThan(3);
  });

  it('reads a segment of another environment as not there', async () => {
    const [account, other] = [await platform.account(), await platform.account()];
    await topicOf(account.svc);
    const { segment } = await other.svc.call('audience.segment.create', {
      name: 'Theirs',
      definition: { field: 'email', op: 'exists' },
    });
    const refused = await everybody(account, 'email', 'news', segment.id).catch((error: unknown) => error);
    expect(refused).to.include({ code: 'not_found' });
  });
});
