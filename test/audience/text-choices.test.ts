import { expect } from 'chai';
import type { Environment } from '#core/kernel/caller/caller.js';
import { textChoices, type SuppressionReason, type TextChoices } from '#plugins/audience/ports.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { eventsOf } from './support.js';
import { suppress } from './suppression/support.js';

const number = '+4915123456789';

describe('STOP and START', () => {
  const platform = usePlatform();

  const choose = <T>(environment: Environment, work: (port: TextChoices) => Promise<T>): Promise<T> =>
    platform.running.services.transaction('Received texts', ({ use, actIn }) => {
      actIn(environment);
      return work(use(textChoices));
    });
  const stop = ({ live }: TestAccount) => choose(live, (port) => port.stop(live, number));
  const start = ({ live }: TestAccount, topic: string | null = null) =>
    choose(live, (port) => port.start(live, { number, wording: 'Start', topic }));

  /**
   * An account with the topics news, offers and tips, and a contact who has granted news and offers, and has left tips.
   */
  const prepared = async (): Promise<TestAccount> => {
    const account = await platform.account();
    const { svc } = account;
    for (const topic of ['news', 'offers', 'tips'])
      await svc.call('audience.topic.create', { key: topic, name: topic, channels: ['email', 'sms'] });
    await svc.call('audience.contact.upsert', { phone: number, email: 'ada@example.com' });
    const grant = (topic: string, channel: 'email' | 'sms') =>
      svc.call('audience.consent.grant', { phone: number, topic, channel, source: 'form' });
    for (const topic of ['news', 'offers', 'tips']) await grant(topic, 'sms');
    await grant('news', 'email');
    platform.clock.advance(1_000);
    await svc.call('audience.consent.revoke', { phone: number, topic: 'tips', channel: 'sms', source: 'call' });
    platform.clock.advance(1_000);
    return account;
  };

  const granted = async ({ svc }: TestAccount): Promise<string[]> => {
    const { consents } = await svc.call('audience.contact.get', { phone: number });
    return consents
      .filter(({ state }) => state === 'granted')
      .map(({ channel, topic }) => `${channel}.${topic}`)
      .sort();
  };
  const records = async ({ svc }: TestAccount, topic?: string) => {
    const { contact } = await svc.call('audience.contact.get', { phone: number });
    return (
      await svc.call('audience.consent.list', { contactId: contact.id, ...(topic === undefined ? {} : { topic }) })
    ).consents;
  };
  const standing = async ({ svc }: TestAccount): Promise<string[]> =>
    (await svc.call('audience.suppression.list', { phone: number })).suppressions
      .filter(({ liftedAt }) => liftedAt === null)
      .map(({ reason }) => reason)
      .sort();

  it('leave an audit record like the preferences page’s if they change something', async () => {
    const account = await prepared();
    const records = async () =>
      (await account.svc.call('account.activity.list', { operation: 'audience.preferences.set' })).activities;
    await stop(account);
    await stop(account);
    await start(account);
    await start(account);
    const [started, stopped, ...more] = await records();
    expect(more).to.deep.equal([]);
    const { contact } = await account.svc.call('audience.contact.get', { phone: number });
    for (const record of [stopped, started])
      expect(record).to.deep.include({ subject: { type: 'contact', id: contact.id } });
    expect(stopped?.summary).to.equal('The person replied STOP: the number does not receive messages.');
    expect(started?.summary).to.equal('The person replied START: the number can receive messages.');
    expect(JSON.stringify([stopped, started])).not.to.contain(number);
    const consents = (await platform.events(account.live)).filter(({ type }) => type === 'audience.consent.revoked');
    expect(consents.at(-1)?.activityId).to.equal(stopped?.id);
  });

  it('of a number without a contact leave an audit record too', async () => {
    const account = await platform.account();
    await stop(account);
    await start(account);
    const { activities } = await account.svc.call('account.activity.list', { operation: 'audience.preferences.set' });
    expect(activities.map(({ subject }) => subject?.type)).to.deep.equal(['suppression', 'suppression']);
  });

  it('STOP suppresses the number and revokes every topic on sms, with records and events; email goes on', async () => {
    const account = await prepared();
    expect(await stop(account)).to.deep.equal({ stopped: true });
    expect(await standing(account)).to.deep.equal(['stop']);
    expect(await granted(account)).to.deep.equal(['email.news']);
    const [record] = await records(account, 'news');
    expect(record).to.deep.include({ state: 'revoked', channel: 'sms', source: 'STOP by text', wording: null });
    expect(await eventsOf(platform, account.live, 'audience.suppression.added')).to.have.length(1);
    const revoked = await eventsOf(platform, account.live, 'audience.consent.revoked');
    expect(revoked.filter(({ data }) => JSON.stringify(data).includes('STOP by text'))).to.have.length(2);
  });

  it('a second STOP changes nothing, also at the same time', async () => {
    const account = await prepared();
    const outcomes = await Promise.all([stop(account), stop(account), stop(account)]);
    expect(outcomes.filter(({ stopped }) => stopped)).to.have.length(1);
    const all = await records(account);
    expect(all.filter(({ source }) => source === 'STOP by text')).to.have.length(3);
    expect(await choose(account.live, (port) => port.stateOf(account.live.id, number))).to.deep.include({
      stopped: true,
    });
  });

  it('a second STOP revokes what the person subscribed to at the preferences page since', async () => {
    const account = await prepared();
    await stop(account);
    const { token } = await account.svc.call('audience.preferences.link', { phone: number });
    platform.clock.advance(1_000);
    await platform.api.call('audience.preferences.set', { token, sms: { topics: { tips: true } } });
    expect(await granted(account)).to.deep.equal(['email.news', 'sms.tips']);
    platform.clock.advance(1_000);
    const before = (await records(account)).length;
    expect(await stop(account), 'it is not answered again').to.deep.equal({ stopped: false });
    expect(await granted(account)).to.deep.equal(['email.news']);
    const all = await records(account);
    expect(all).to.have.length(before + 1);
    expect(all[0]).to.deep.include({ topic: 'tips', state: 'revoked', source: 'STOP by text' });
    const { activities } = await account.svc.call('account.activity.list', { operation: 'audience.preferences.set' });
    expect(activities[0]?.changes).to.deep.equal([{ field: 'consent.sms.tips', from: 'granted', to: 'revoked' }]);
    platform.clock.advance(1_000);
    await start(account);
    expect(await granted(account)).to.deep.equal(['email.news', 'sms.news', 'sms.offers', 'sms.tips']);
  });

  it('START grants again what STOP revoked, with the person’s words, and nothing that was revoked before', async () => {
    const account = await prepared();
    await stop(account);
    const { lifted, granted: again } = await start(account);
    expect({ lifted, again }).to.deep.equal({ lifted: true, again: ['news', 'offers'] });
    expect(await standing(account)).to.deep.equal([]);
    expect(await granted(account)).to.deep.equal(['email.news', 'sms.news', 'sms.offers']);
    const [record] = await records(account, 'news');
    expect(record).to.deep.include({ state: 'granted', source: 'START by text', wording: 'Start' });
    expect(await start(account), 'a second START').to.deep.include({ lifted: false, granted: [] });
  });

  it('START leaves what the person ended elsewhere after STOP', async () => {
    const account = await prepared();
    await stop(account);
    platform.clock.advance(1_000);
    await account.svc.call('audience.consent.revoke', {
      phone: number,
      topic: 'offers',
      channel: 'sms',
      source: 'call',
    });
    await start(account);
    expect(await granted(account)).to.deep.equal(['email.news', 'sms.news']);
  });

  it('START lifts no suppression but STOP’s', async () => {
    const account = await prepared();
    const others = ['bounce', 'complaint', 'manual', 'unsubscribe'] as const satisfies readonly SuppressionReason[];
    for (const reason of others) await suppress(platform, account.live, { channel: 'sms', address: number, reason });
    await stop(account);
    expect((await start(account)).lifted).to.equal(true);
    expect(await standing(account)).to.deep.equal([...others]);
    expect((await start(account)).lifted, 'and none later').to.equal(false);
  });

  it('START with a topic grants that topic, to a new contact where nobody has the number', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    await svc.call('audience.topic.create', { key: 'news', name: 'News', channels: ['sms'] });
    const outcome = await start(account, 'news');
    const { contact } = await svc.call('audience.contact.get', { phone: number });
    expect(outcome).to.deep.equal({ lifted: false, granted: ['news'], contactId: contact.id });
    expect(await granted(account)).to.deep.equal(['sms.news']);
    expect(await eventsOf(platform, live, 'audience.contact.created')).to.have.length(1);
    expect(await eventsOf(platform, live, 'audience.consent.granted')).to.have.length(1);
  });

  it('START without a topic, or with one that cannot be granted, makes no contact', async () => {
    const account = await platform.account();
    const { svc } = account;
    await svc.call('audience.topic.create', { key: 'mail', name: 'Mail', channels: ['email'] });
    await svc.call('audience.topic.create', { key: 'old', name: 'Old', channels: ['sms'] });
    await svc.call('audience.topic.archive', { topic: 'old' });
    for (const topic of [null, 'mail', 'old', 'unknown'])
      expect(await start(account, topic), String(topic)).to.deep.equal({ lifted: false, granted: [], contactId: null });
    expect((await svc.call('audience.contact.list', {})).contacts).to.deep.equal([]);
  });

  it('STOP in one environment changes nothing in another', async () => {
    const account = await prepared();
    const other = await prepared();
    await stop(account);
    expect(await standing(other)).to.deep.equal([]);
    expect(await granted(other)).to.deep.equal(['email.news', 'sms.news', 'sms.offers']);
  });
});
