import { expect } from 'chai';
import { hours, minutes } from '#test/support/clock.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { eventsNamed, setClosed, runImport, suppress, withTopic } from './support.js';

describe('audience.contact.import: opt-outs stay in force', () => {
  const platform = usePlatform();
  const email = 'ann@example.com';
  const claim = { topic: 'news', channel: 'email' as const, source: 'old list' };
  const ago = (ms: number): string => new Date(platform.clock.now().getTime() - ms).toISOString();

  /** A contact that subscribed, and opted out an hour ago. */
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

  it('when the import’s consents are undated', async () => {
    const account = await unsubscribed();
    const before = await grantedEvents(account);
    await runImport(platform, account, { contacts: [{ email }], consents: [claim] });
    await runImport(platform, account, { contacts: [{ email, consents: [claim] }] });
    expect(await stateOf(account)).to.equal('revoked');
    expect(await grantedEvents(account)).to.equal(before);
    // Ineffective grants are not recorded: a nightly import would otherwise append a record for every contact.
    const { consents } = await account.svc.call('audience.consent.list', {});
    expect(consents.map(({ state, source }) => `${state} ${source}`)).to.deep.equal([
      'revoked support call',
      'granted form',
    ]);
  });

  it('when the evidence is older; newer evidence subscribes again', async () => {
    const account = await unsubscribed();
    await runImport(platform, account, { contacts: [{ email }], consents: [{ ...claim, givenAt: ago(minutes(61)) }] });
    expect(await stateOf(account)).to.equal('revoked');
    const before = await grantedEvents(account);
    await runImport(platform, account, { contacts: [{ email }], consents: [{ ...claim, givenAt: ago(minutes(59)) }] });
    expect(await stateOf(account)).to.equal('granted');
    expect(await grantedEvents(account)).to.equal(before + 1);
  });

  it('when they opt out between the call and the import', async () => {
    const account = await withTopic(await platform.account());
    const { svc, live } = account;
    await svc.call('audience.contact.upsert', { email });
    await setClosed(platform, live);
    // Slightly in the future, which is tolerated and taken as the time of the import.
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
    await setClosed(platform, live, false);
    await platform.settled();
    expect(await platform.count('audience_import_queue')).to.equal(0);
    expect(await stateOf(account)).to.equal('revoked');
  });

  it('when the person only unsubscribed from everything', async () => {
    for (const reason of ['unsubscribe', 'complaint'] as const) {
      const account = await withTopic(await platform.account());
      await suppress(platform, account.live, email, reason);
      platform.clock.advance(hours(1));
      await runImport(platform, account, { contacts: [{ email: 'ANN@example.com' }], consents: [claim] });
      expect(await stateOf(account), reason).to.equal(undefined);
      const older = { ...claim, givenAt: ago(minutes(61)) };
      await runImport(platform, account, { contacts: [{ email }], consents: [older] });
      expect(await stateOf(account), reason).to.equal(undefined);
      expect(await grantedEvents(account)).to.equal(0);
    }
  });

  it('after STOP, for sms only', async () => {
    const account = await withTopic(await platform.account());
    const phone = '+4915123456789';
    await suppress(platform, account.live, phone, 'stop');
    await runImport(platform, account, {
      contacts: [{ email, phone: '+49 1512 3456789' }],
      consents: [claim, { ...claim, channel: 'sms' }],
    });
    const { consents } = await account.svc.call('audience.contact.get', { email });
    expect(consents.map(({ channel }) => channel)).to.deep.equal(['email']);
  });

  it('when the contact was deleted and is imported again', async () => {
    const account = await unsubscribed();
    const { contact } = await account.svc.call('audience.contact.get', { email });
    await account.svc.call('audience.contact.delete', { contactId: contact.id });
    platform.clock.advance(hours(1));
    await runImport(platform, account, { contacts: [{ email }], consents: [claim] });
    expect(await stateOf(account)).to.equal(undefined);
    await runImport(platform, account, { contacts: [{ email }], consents: [{ ...claim, givenAt: ago(hours(3)) }] });
    expect(await stateOf(account)).to.equal(undefined);
    await runImport(platform, account, { contacts: [{ email }], consents: [{ ...claim, givenAt: ago(minutes(30)) }] });
    expect(await stateOf(account)).to.equal('granted');
  });

  it('when a later row of the same file changes the contact’s address', async () => {
    const account = await withTopic(await platform.account());
    await suppress(platform, account.live, email, 'unsubscribe');
    await runImport(platform, account, {
      contacts: [
        { externalId: 'a', email, consents: [claim] },
        { externalId: 'a', email: 'other@example.com', consents: [] },
      ],
    });
    const { consents } = await account.svc.call('audience.contact.get', { externalId: 'a' });
    expect(consents).to.deep.equal([]);
  });

  it('subscribes people who never opted out, with one record for repeated rows', async () => {
    const account = await withTopic(await platform.account());
    const { svc } = account;
    const input = { contacts: [{ email }, { email, firstName: 'Ann' }], consents: [claim] };
    await runImport(platform, account, input);
    await runImport(platform, account, input);
    expect(await stateOf(account)).to.equal('granted');
    expect(await grantedEvents(account)).to.equal(1);
    expect((await svc.call('audience.consent.list', {})).consents).to.have.length(1);
  });
});
