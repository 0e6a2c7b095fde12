import { expect } from 'chai';
import { idText } from '#core/runtime/id.js';
import {
  recipients,
  type Channel,
  type Eligibility,
  type SendPurpose,
  type SuppressionReason,
} from '#plugins/audience/ports.js';
import { suppressionReasons } from '#plugins/audience/tables/suppression-reasons.js';
import type { ReplyOf } from '#test/support/api.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { contactOf, topicOf } from '#test/audience/support.js';
import { suppress } from '#test/audience/suppression/support.js';

/** Pseudo-random numbers from a seed, so that a failure can be repeated. */
const seeded = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648;
};

describe('Eligibility of recipients', () => {
  const platform = usePlatform();

  const check = (
    { live }: TestAccount,
    purpose: Omit<SendPurpose, 'system'> & { system?: boolean },
    addresses: string[],
  ): Promise<Eligibility[]> =>
    platform.running.services.transaction('Test', ({ use }) =>
      use(recipients).eligibilityOf(live.id, { system: false, ...purpose }, addresses),
    );
  const eligible = ({ live }: TestAccount, channel: Channel, topic: string, segmentId: string | null) =>
    platform.running.services.transaction('Test', async ({ use, db }) => {
      const range = (await use(recipients).contactsAfter(live.id, segmentId, null, 100_000)) ?? {
        after: null,
        upTo: live.id,
      };
      const found = await use(recipients).recipientsIn(live.id, { channel, topic }, segmentId, range);
      const { sql, parameters, columns } = found.eligible;
      expect(columns).to.deep.equal(['contact_id', 'address']);
      // As a derived table, as products embed it.
      const rows = await db.rows<{ contact_id: Buffer; address: string | Buffer }>(
        `SELECT people.contact_id, people.address FROM (${sql}) people ORDER BY people.contact_id`,
        parameters,
      );
      return rows.map(({ contact_id, address }) => ({ contactId: idText(contact_id), address: String(address) }));
    });

  it('answers for each address in the given order, unknown and repeated ones included', async () => {
    const account = await platform.account();
    const { svc } = account;
    await topicOf(svc);
    const { id } = await contactOf(svc, {
      email: 'ada@example.com',
      consents: [{ topic: 'news', channel: 'email', source: 'form' }],
    });
    const { suppression } = await svc.call('audience.suppression.add', { email: 'gone@example.com' });
    const news = { channel: 'email', topic: 'news' } as const;
    const addresses = ['Ada@Example.com', 'stranger@example.com', 'gone@example.com', 'ada@example.com'];
    const allowed = { contactId: id, blockReason: null, suppressionReason: null, blockedBy: null };
    expect(await check(account, { channel: 'email', topic: 'news' }, addresses)).to.deep.equal([
      { address: 'Ada@Example.com', ...allowed },
      {
        address: 'stranger@example.com',
        contactId: null,
        blockReason: 'no_consent',
        suppressionReason: null,
        blockedBy: { rule: 'never_asked', ...news, recordId: null, since: null, source: null },
      },
      {
        address: 'gone@example.com',
        contactId: null,
        blockReason: 'suppressed_recipient',
        suppressionReason: 'manual',
        blockedBy: {
          rule: 'suppressed',
          ...news,
          recordId: suppression.id,
          since: suppression.createdAt,
          source: 'manual',
        },
      },
      { address: 'ada@example.com', ...allowed },
    ]);
    expect(
      (await check(account, { channel: 'email', topic: null }, addresses)).map(({ blockReason }) => blockReason),
    ).to.deep.equal([null, null, 'suppressed_recipient', null]);
    expect(await check(account, { channel: 'email', topic: 'news' }, [])).to.deep.equal([]);
  });

  const purposes = {
    'messages under a topic': { topic: 'news', system: false },
    'messages without a topic': { topic: null, system: false },
    'system messages': { topic: null, system: true },
  } as const;
  const kinds = ['messages under a topic', 'messages without a topic', 'system messages'] as const;
  const blockedKinds: readonly (readonly [SuppressionReason, readonly (typeof kinds)[number][]])[] = [
    ['bounce', kinds],
    ['stop', kinds],
    ['complaint', ['messages under a topic', 'messages without a topic']],
    ['manual', ['messages under a topic', 'messages without a topic']],
    ['unsubscribe', ['messages under a topic']],
  ];
  for (const channel of ['email', 'sms'] as const) {
    for (const [reason, blocked] of blockedKinds) {
      it(`${channel}: a suppression with the reason ${reason} blocks ${blocked.join(', ')}, and nothing else`, async () => {
        const account = await platform.account();
        await topicOf(account.svc);
        const address = channel === 'email' ? 'ada@example.com' : '+4915123456789';
        await contactOf(account.svc, {
          [channel === 'email' ? 'email' : 'phone']: address,
          consents: [{ topic: 'news', channel, source: 'form' }],
        });
        const other = channel === 'email' ? '+4915123456789' : 'ada@example.com';
        await suppress(platform, account.live, { channel, address, reason });
        for (const kind of kinds) {
          const purpose = purposes[kind];
          const [found] = await check(account, { channel, ...purpose }, [address]);
          const isBlocked = blocked.includes(kind);
          expect(found, kind).to.include({
            blockReason: isBlocked ? 'suppressed_recipient' : null,
            suppressionReason: isBlocked ? reason : null,
          });
          const [elsewhere] = await check(account, { channel: channel === 'email' ? 'sms' : 'email', ...purpose }, [
            other,
          ]);
          expect(elsewhere?.blockReason).not.to.equal('suppressed_recipient');
        }
        expect(await eligible(account, channel, 'news', null)).to.deep.equal([]);
      });
    }
  }

  it('names the strongest of several suppressions that block, and none that was lifted', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    const address = 'ada@example.com';
    for (const reason of ['unsubscribe', 'manual', 'complaint', 'bounce'] as const)
      await suppress(platform, live, { channel: 'email', address, reason });
    const reasonFor = async (kind: (typeof kinds)[number]) =>
      (await check(account, { channel: 'email', ...purposes[kind] }, [address]))[0]?.suppressionReason;
    expect(await reasonFor('messages under a topic')).to.equal('bounce');
    expect(await reasonFor('system messages')).to.equal('bounce');
    const [bounce] = (await svc.call('audience.suppression.list', { reason: 'bounce' })).suppressions;
    await svc.call('audience.suppression.lift', { suppressionId: bounce?.id ?? '' });
    expect(await reasonFor('messages under a topic')).to.equal('complaint');
    expect(await reasonFor('messages without a topic')).to.equal('complaint');
    expect(await reasonFor('system messages')).to.equal(null);
  });

  it('is the same for single addresses and for all contacts, after random grants, opt-outs, suppressions and archived topics', async () => {
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
      const reason = suppressionReasons[Math.floor(random() * 25)];
      if (reason) await suppress(platform, account.live, { channel: 'email', address: email, reason });
    }
    const { segment } = await svc.call('audience.segment.create', {
      name: 'Odd ones',
      definition: { field: 'properties.odd', op: 'eq', value: true },
    });
    const compare = async (): Promise<number> => {
      let found = 0;
      const contacts: ReplyOf<'audience.contact.get'>[] = [];
      for (const { contactId } of people) contacts.push(await svc.call('audience.contact.get', { contactId }));
      for (const topic of ['news', 'offers', 'nowhere']) {
        for (const channel of ['email', 'sms'] as const) {
          const addresses = people.map((person) => (channel === 'email' ? person.email : person.phone));
          const may = (await check(account, { channel, topic }, addresses)).filter(
            ({ blockReason }) => blockReason === null,
          );
          const all = await eligible(account, channel, topic, null);
          const shown = contacts.filter(({ reach }) =>
            reach.some((of) => of.channel === channel && of.topic === topic && of.reachable),
          );
          expect(shown.map(({ contact }) => contact.id)).to.have.members(all.map(({ contactId }) => contactId));
          expect(all.map(({ address }) => address)).to.have.members(may.map(({ address }) => address));
          expect(all.map(({ contactId }) => contactId)).to.have.members(may.map(({ contactId }) => contactId));
          const odd = people.filter(({ properties }) => properties.odd).map(({ contactId }) => contactId);
          expect(
            (await eligible(account, channel, topic, segment.id)).map(({ contactId }) => contactId),
          ).to.have.members(all.filter(({ contactId }) => odd.includes(contactId)).map(({ contactId }) => contactId));
          found += all.length;
        }
      }
      return found;
    };
    expect(await compare()).to.be.greaterThan(20);
    await svc.call('audience.topic.archive', { topic: 'news' });
    await svc.call('audience.topic.update', { topic: 'offers', channels: ['email'] });
    expect(await eligible(account, 'email', 'news', null)).to.deep.equal([]);
    expect(await eligible(account, 'sms', 'offers', null)).to.deep.equal([]);
    expect(await compare()).to.be.greaterThan(3);
  });

  it('answers not_found for a segment of another environment', async () => {
    const [account, other] = [await platform.account(), await platform.account()];
    await topicOf(account.svc);
    const { segment } = await other.svc.call('audience.segment.create', {
      name: 'Theirs',
      definition: { field: 'email', op: 'exists' },
    });
    const refused = await eligible(account, 'email', 'news', segment.id).catch((error: unknown) => error);
    expect(refused).to.include({ code: 'not_found' });
  });
});
