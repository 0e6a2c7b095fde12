import { expect } from 'chai';
import { hours, minutes } from '#test/support/clock.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { eventsNamed, held, imported, suppressed, withTopic } from './support.js';

describe('audience.contact.import: opt-outs stay in force', () => {
  const platform = usePlatform();
  const email = 'ann@example.com';
  const claim = { topic: 'news', channel: 'email' as const, source: 'old list' };
  const ago = (ms: number): string => new Date(platform.clock.now().getTime() - ms).toISOString();

  /** Somebody who subscribed, and said no an hour ago. */
  async function unsubscribed(): Promise<TestAccount> {
    const account = await withTopic(await platform.account());
    await account.svc.call('audience.contact.upsert', { email, consents: [{ ...claim, source: 'form' }] });
    await account.svc.call('audience.consent.revoke', { email, channel: 'email', source: 'support call' });
    platform.clock.advance(hours(1));
    return account;
  }

  const stateOf = async ({ svc }: TestAccount): Promise<string | undefined> =>
    (await svc.call('audience.contact.get', { email })).consents[0]?.state;

  const grantedEvents = async ({ live }: TestAccount): Promise<number> =>
    (await eventsNamed(platform, live, 'audience.consent.granted')).length;

  it('however the import says that they subscribed, unless it says when', async () => {
    const account = await unsubscribed();
    const before = await grantedEvents(account);
    await imported(platform, account, { contacts: [{ email }], consents: [claim] });
    await imported(platform, account, { contacts: [{ email, consents: [claim] }] });
    expect(await stateOf(account)).to.equal('revoked');
    expect(await grantedEvents(account)).to.equal(before);
    // What changes nothing leaves nothing behind: else every nightly import were a record of everybody.
    const { consents } = await account.svc.call('audience.consent.list', {});
    expect(consents.map(({ state, source }) => `${state} ${source}`)).to.deep.equal([
      'revoked support call',
      'granted form',
    ]);
  });

  it('against evidence from before their no, and subscribes them on evidence from after it', async () => {
    const account = await unsubscribed();
    await imported(platform, account, { contacts: [{ email }], consents: [{ ...claim, givenAt: ago(minutes(61)) }] });
    expect(await stateOf(account)).to.equal('revoked');
    const before = await grantedEvents(account);
    await imported(platform, account, { contacts: [{ email }], consents: [{ ...claim, givenAt: ago(minutes(59)) }] });
    expect(await stateOf(account)).to.equal('granted');
    expect(await grantedEvents(account)).to.equal(before + 1);
  });

  it('when they opt out between the call and the import', async () => {
    const account = await withTopic(await platform.account());
    const { svc, live } = account;
    await svc.call('audience.contact.upsert', { email });
    await held(platform, live);
    // A clock that is a little ahead: within what is tolerated, and no later than the import for it.
    const givenAt = new Date(platform.clock.now().getTime() + minutes(4)).toISOString();
    await svc.call('audience.contact.import', {
      contacts: [
        { email, consents: [{ ...claim, givenAt }] },
        { email, consents: [claim] },
      ],
    });
    platform.clock.advance(minutes(1));
    await svc.call('audience.consent.revoke', { email, channel: 'email', source: 'link' });
    platform.clock.advance(minutes(1));
    await held(platform, live, false);
    await platform.settled();
    expect(await platform.count('audience_import_queue')).to.equal(0);
    expect(await stateOf(account)).to.equal('revoked');
  });

  it('when all that is known of them is that they unsubscribed from everything', async () => {
    for (const reason of ['unsubscribe', 'complaint'] as const) {
      const account = await withTopic(await platform.account());
      await suppressed(platform, account.live, email, reason);
      platform.clock.advance(hours(1));
      await imported(platform, account, { contacts: [{ email: 'ANN@example.com' }], consents: [claim] });
      expect(await stateOf(account), reason).to.equal(undefined);
      const older = { ...claim, givenAt: ago(minutes(61)) };
      await imported(platform, account, { contacts: [{ email }], consents: [older] });
      expect(await stateOf(account), reason).to.equal(undefined);
      expect(await grantedEvents(account)).to.equal(0);
    }
  });

  it('after STOP, for texts alone', async () => {
    const account = await withTopic(await platform.account());
    const phone = '+4915123456789';
    await suppressed(platform, account.live, phone, 'stop');
    await imported(platform, account, {
      contacts: [{ email, phone: '+49 1512 3456789' }],
      consents: [claim, { ...claim, channel: 'sms' }],
    });
    const { consents } = await account.svc.call('audience.contact.get', { email });
    expect(consents.map(({ channel }) => channel)).to.deep.equal(['email']);
  });

  it('after their contact was deleted and comes back with the next list', async () => {
    const account = await unsubscribed();
    const { contact } = await account.svc.call('audience.contact.get', { email });
    await account.svc.call('audience.contact.delete', { contactId: contact.id });
    platform.clock.advance(hours(1));
    await imported(platform, account, { contacts: [{ email }], consents: [claim] });
    expect(await stateOf(account)).to.equal(undefined);
    await imported(platform, account, { contacts: [{ email }], consents: [{ ...claim, givenAt: ago(hours(3)) }] });
    expect(await stateOf(account)).to.equal(undefined);
    await imported(platform, account, { contacts: [{ email }], consents: [{ ...claim, givenAt: ago(minutes(30)) }] });
    expect(await stateOf(account)).to.equal('granted');
  });

  it('when the same file gives their contact another address further on', async () => {
    const account = await withTopic(await platform.account());
    await suppressed(platform, account.live, email, 'unsubscribe');
    await imported(platform, account, {
      contacts: [
        { externalId: 'a', email, consents: [claim] },
        { externalId: 'a', email: 'other@example.com', consents: [] },
      ],
    });
    const { consents } = await account.svc.call('audience.contact.get', { externalId: 'a' });
    expect(consents).to.deep.equal([]);
  });

  it('subscribes people who never opted out, once, however often the list names them', async () => {
    const account = await withTopic(await platform.account());
    const { svc } = account;
    const input = { contacts: [{ email }, { email, firstName: 'Ann' }], consents: [claim] };
    await imported(platform, account, input);
    await imported(platform, account, input);
    expect(await stateOf(account)).to.equal('granted');
    expect(await grantedEvents(account)).to.equal(1);
    expect((await svc.call('audience.consent.list', {})).consents).to.have.length(1);
  });
});
