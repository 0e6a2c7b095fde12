import { expect } from 'chai';
import type { Channel, SuppressionReason } from '#plugins/audience/ports.js';
import { addSuppression } from '#plugins/audience/suppressions/store.js';
import type { InputOf } from '#test/support/api.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { auditOf, contactOf, eventsOf, concurrently, topicOf } from '../support.js';
import { messageToken, consentStates } from './support.js';

type Changes = Omit<InputOf<'audience.preferences.set'>, 'token'>;
const address = { email: 'ada@example.com', sms: '+4915123456789' };

describe('audience.preferences.set', () => {
  const platform = usePlatform();
  beforeEach(() => platform.clock.advance(minutes(11)));

  /** A contact with an address on both channels, topics, and functions that change its preferences. */
  const person = async (subscribed: string[] = []) => {
    const account = await platform.account();
    const { svc, live } = account;
    await topicOf(svc, { description: 'Once a month.' });
    await topicOf(svc, { key: 'offers', name: 'Offers' });
    await topicOf(svc, { key: 'staff', name: 'Staff', public: false });
    const consents = subscribed.map((topic) => ({ topic, channel: 'email' as const, source: 'form' }));
    const contact = await contactOf(svc, { email: address.email, phone: address.sms, consents });
    platform.clock.advance(minutes(1));
    const token = messageToken(platform, contact.id);
    const seen = (await eventsOf(platform, live, '')).length;
    return {
      ...account,
      contact,
      token,
      set: (changes: Changes) => platform.api.call('audience.preferences.set', { token, ...changes }),
      refusal: (changes: object) => platform.api.refusal('audience.preferences.set', { token, ...changes }),
      newEvents: async () => (await eventsOf(platform, live, '')).slice(seen),
      types: async () => (await eventsOf(platform, live, '')).slice(seen).map(({ type }) => type),
      records: async () => (await svc.call('audience.consent.list', { contactId: contact.id })).consents,
      standing: async () =>
        (await svc.call('audience.contact.get', { contactId: contact.id })).suppressions.map(
          ({ channel, reason }) => `${channel} ${reason}`,
        ),
    };
  };
  const suppressed = ({ live }: TestAccount, channel: Channel, reason: SuppressionReason) =>
    platform.running.services.transaction('Test', async (context) => {
      context.actIn(live);
      await addSuppression(context, live.id, { channel, address: address[channel], reason, note: null });
    });

  it('subscribes and unsubscribes with one record, one event each, and one event for the call', async () => {
    const { set, token, contact, newEvents, records, live } = await person(['offers']);
    const result = await set({ email: { topics: { news: true, offers: false } } });
    const { activityId, ...preferences } = result;
    expect(preferences).to.deep.equal((await platform.api.call('audience.preferences.get', { token })).preferences);
    expect(preferences).to.include({ email: 'a•••@example.com', phone: '+49•••89' });
    expect(preferences.channels.email.topics.map(({ key, subscribed }) => [key, subscribed])).to.deep.equal([
      ['news', true],
      ['offers', false],
    ]);

    const [granted, revoked] = (await records()).filter(({ source }) => source === 'preferences link');
    const said = {
      contactId: contact.id,
      channel: 'email',
      source: 'preferences link',
      ip: '127.0.0.1',
      givenAt: platform.clock.now().toISOString(),
      actor: { kind: 'public', id: 'public', label: 'Public call' },
    };
    expect(granted).to.deep.include({ ...said, topic: 'news', state: 'granted', wording: 'Newsletter: Once a month.' });
    expect(revoked).to.deep.include({ ...said, topic: 'offers', state: 'revoked', wording: null });

    const events = await newEvents();
    expect(events.map(({ type }) => type)).to.have.members([
      'audience.consent.granted',
      'audience.consent.revoked',
      'audience.preferences.changed',
    ]);
    for (const each of events)
      expect(each).to.deep.include({ subjectId: contact.id, personId: contact.id, activityId });
    expect(events.find(({ type }) => type === 'audience.preferences.changed')?.data).to.deep.equal({
      contactId: contact.id,
      // The customer's own data: whole, while the person's reply is masked.
      preferences: { ...preferences, email: address.email, phone: address.sms },
    });
    expect(await auditOf(platform, activityId)).to.deep.equal({
      operation: 'audience.preferences.set',
      subject: `contact ${contact.id}`,
      personId: contact.id,
      summary: 'The person subscribed to news on email; unsubscribed from offers on email.',
      changes: [
        { field: 'consent.email.offers', from: 'granted', to: 'revoked' },
        { field: 'consent.email.news', from: null, to: 'granted' },
      ],
    });
    const [actor] = await platform.running.services.database.rows<{ actor_kind: Buffer; ip: string }>(
      'SELECT actor_kind, ip FROM svc_activity WHERE operation = ? AND environment_id = ?',
      [Buffer.from('audience.preferences.set'), Buffer.from(live.id.replaceAll('-', ''), 'hex')],
    );
    expect([actor?.actor_kind.toString(), actor?.ip]).to.deep.equal(['public', '127.0.0.1']);
  });

  it('writes only an audit record when nothing changes', async () => {
    const { set, types, records } = await person(['news']);
    const before = await records();
    const { activityId } = await set({
      email: { topics: { news: true, offers: false }, unsubscribeAll: false },
      sms: { topics: { news: false } },
    });
    expect(await records()).to.deep.equal(before);
    expect(await types()).to.deep.equal([]);
    expect((await auditOf(platform, activityId)).summary).to.equal(
      'Nothing changed: the person’s preferences already had these values.',
    );
  });

  it('unsubscribes from a channel: a suppression, and every topic revoked, including hidden ones', async () => {
    const { set, types, standing, contact } = await person(['news', 'staff']);
    const { channels } = await set({ email: { unsubscribeAll: true } });
    expect(channels.email).to.deep.include({ unsubscribedAll: true, suppressionReason: 'unsubscribe' });
    expect(channels.sms).to.deep.include({ unsubscribedAll: false, suppressionReason: null });
    expect(await standing()).to.deep.equal(['email unsubscribe']);
    const { stored, derived } = await consentStates(platform, contact.id);
    expect(stored).to.deep.equal({ 'email news': 'revoked', 'email offers': 'revoked', 'email staff': 'revoked' });
    expect(derived).to.deep.equal(stored);
    const eventTypes = await types();
    expect(eventTypes.filter((type) => type === 'audience.suppression.added')).to.have.length(1);
    expect(eventTypes.filter((type) => type === 'audience.consent.revoked')).to.have.length(3);
    expect(eventTypes.filter((type) => type === 'audience.preferences.changed')).to.have.length(1);
    await set({ email: { unsubscribeAll: true, topics: { news: false } } });
    expect(await types()).to.deep.equal(eventTypes);
  });

  it('unsubscribes from a channel with what is granted on a topic that no longer has it, and may have it again', async () => {
    const { svc, set, contact } = await person(['offers']);
    await svc.call('audience.topic.update', { topic: 'offers', channels: ['sms'] });
    await set({ email: { unsubscribeAll: true } });
    await set({ email: { unsubscribeAll: false } });
    await svc.call('audience.topic.update', { topic: 'offers', channels: ['email', 'sms'] });
    const { consents } = await svc.call('audience.contact.get', { contactId: contact.id });
    expect(consents.filter(({ topic }) => topic === 'offers').map(({ state }) => state)).to.deep.equal(['revoked']);
  });

  it('undoes unsubscribeAll without subscribing to any topic', async () => {
    const { set, types, standing } = await person(['news']);
    await set({ email: { unsubscribeAll: true } });
    const { channels } = await set({ email: { unsubscribeAll: false } });
    expect(channels.email).to.deep.include({ unsubscribedAll: false, suppressionReason: null });
    expect(channels.email.topics.map(({ subscribed }) => subscribed)).to.deep.equal([false, false]);
    expect(await standing()).to.deep.equal([]);
    expect((await types()).slice(-2)).to.have.members(['audience.suppression.lifted', 'audience.preferences.changed']);
  });

  it('lifts what the person asked for when they subscribe to a topic, and restores no other topic', async () => {
    const one = await person(['news', 'offers', 'staff']);
    await suppressed(one, 'email', 'complaint');
    const { channels } = await one.set({ email: { topics: { news: true } } });
    expect(channels.email).to.deep.include({ unsubscribedAll: false, suppressionReason: null });
    expect(channels.email.topics.map(({ subscribed }) => subscribed)).to.deep.equal([true, false]);
    const { stored, derived } = await consentStates(platform, one.contact.id);
    expect(stored).to.deep.equal({ 'email news': 'granted', 'email offers': 'revoked', 'email staff': 'revoked' });
    expect(derived).to.deep.equal(stored);
    const [renewal] = (await one.records()).filter(({ topic }) => topic === 'news');
    expect(renewal).to.deep.include({ state: 'granted', source: 'preferences link' });
    expect(await one.types()).to.include('audience.suppression.lifted');
  });

  it('subscribes again in the same millisecond as unsubscribing', async () => {
    const { set, contact } = await person();
    await set({ email: { unsubscribeAll: true } });
    const { channels } = await set({ email: { topics: { news: true } } });
    expect(channels.email.topics[0]).to.include({ key: 'news', subscribed: true });
    await set({ email: { topics: { news: false } } });
    expect((await set({ email: { topics: { news: true } } })).channels.email.topics[0]?.subscribed).to.equal(true);
    expect((await consentStates(platform, contact.id)).stored['email news']).to.equal('granted');
  });

  it('does not lift STOP, which only START does, and keeps the choice', async () => {
    const one = await person();
    await suppressed(one, 'sms', 'stop');
    await one.set({ sms: { unsubscribeAll: true } });
    const { channels } = await one.set({ sms: { topics: { news: true }, unsubscribeAll: false } });
    expect(channels.sms).to.deep.include({ unsubscribedAll: true, suppressionReason: 'stop' });
    expect(channels.sms.topics[0]).to.include({ key: 'news', subscribed: true });
    expect(await one.standing()).to.deep.equal(['sms stop']);
    expect((await consentStates(platform, one.contact.id)).stored['sms news']).to.equal('granted');
  });

  it('does not lift a bounce or a manual suppression, but records the consent and shows the reason', async () => {
    for (const reason of ['bounce', 'manual'] as const) {
      const one = await person();
      await suppressed(one, 'email', reason);
      const { channels } = await one.set({ email: { topics: { news: true }, unsubscribeAll: false } });
      expect(channels.email).to.deep.include({ unsubscribedAll: false, suppressionReason: reason });
      expect(channels.email.topics[0]).to.include({ key: 'news', subscribed: true });
      expect(await one.standing()).to.deep.equal([`email ${reason}`]);
      expect((await one.types()).slice(1)).to.deep.equal(['audience.consent.granted', 'audience.preferences.changed']);
    }
  });

  it('accepts the topic of the message even if it is not public, on its channel only', async () => {
    const { contact, live } = await person(['staff']);
    const token = messageToken(platform, contact.id, { channel: 'email', topic: 'staff' });
    const { channels } = await platform.api.call('audience.preferences.set', {
      token,
      email: { topics: { staff: false } },
    });
    expect(channels.email.topics.find(({ key }) => key === 'staff')?.subscribed).to.equal(false);
    const refused = await platform.api.refusal('audience.preferences.set', { token, sms: { topics: { staff: true } } });
    expect(refused.details).to.deep.equal({ field: 'sms.topics.staff' });
    expect(live.kind).to.equal('live');
  });

  it('refuses empty, contradictory and unavailable changes, and changes nothing', async () => {
    const { refusal, svc, contact, types, records } = await person(['news']);
    await topicOf(svc, { key: 'mailonly', name: 'Mail', channels: ['email'] });
    await topicOf(svc, { key: 'old', name: 'Old' });
    await svc.call('audience.topic.archive', { topic: 'old' });
    const before = (await types()).length;
    const wrong: [object, string][] = [
      [{}, 'body'],
      [{ email: {}, sms: { topics: {} } }, 'body'],
      [{ email: { unsubscribeAll: true, topics: { offers: false, news: true } } }, 'email.topics.news'],
      [{ email: { topics: { news: false, nothing: true } } }, 'email.topics.nothing'],
      [{ email: { topics: { staff: true } } }, 'email.topics.staff'],
      [{ email: { topics: { old: false } } }, 'email.topics.old'],
      [{ email: { topics: { news: false } }, sms: { topics: { mailonly: true } } }, 'sms.topics.mailonly'],
      [{ email: { topics: { news: 'yes' } } }, 'email.topics.news'],
      [{ email: { unsubscribe: true } }, 'email.unsubscribe'],
    ];
    for (const [input, field] of wrong) {
      const refused = await refusal(input);
      expect(refused, JSON.stringify(input)).to.include({ code: 'invalid_input', status: 400 });
      expect(refused.details, JSON.stringify(input)).to.deep.equal({ field });
    }
    await svc.call('audience.contact.update', { contactId: contact.id, phone: null });
    for (const sms of [{ unsubscribeAll: true }, { topics: { news: true } }]) {
      const refused = await refusal({ sms });
      expect(refused.details).to.deep.equal({ field: 'sms' });
      expect(refused.message).to.contain('number');
    }
    expect((await types()).length).to.equal(before + 1);
    expect((await records()).filter(({ source }) => source === 'preferences link')).to.deep.equal([]);
  });

  it('works while the account is closed, so that people can still unsubscribe', async () => {
    const { set, svc, standing } = await person(['news']);
    await svc.call('account.close', { reason: 'other' });
    expect((await set({ email: { unsubscribeAll: true } })).channels.email.unsubscribedAll).to.equal(true);
    expect(await standing()).to.deep.equal(['email unsubscribe']);
  });

  it('answers not_found for an invalid token', async () => {
    const refused = await platform.api.refusal('audience.preferences.set', {
      token: 'svc_pf_x',
      email: { unsubscribeAll: true },
    });
    expect(refused).to.include({ code: 'not_found', status: 404 });
  });

  it('replays the answer for a repeated Idempotency-Key without changing anything', async () => {
    const { token, records } = await person();
    const body = JSON.stringify({ token, email: { topics: { news: true } } });
    const options = { idempotencyKey: 'once' };
    const first = await platform.api.raw('/audience/preferences/set', body, options);
    await platform.api.call('audience.preferences.set', { token, email: { topics: { news: false } } });
    const after = await records();
    const again = await platform.api.raw('/audience/preferences/set', body, options);
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    expect(again.text).to.equal(first.text);
    expect(await records()).to.deep.equal(after);
  });

  it('names no address in the audit log', async () => {
    const { set, types } = await person(['news']);
    await set({ email: { unsubscribeAll: true }, sms: { unsubscribeAll: true } });
    expect(await types()).to.include('audience.suppression.added');
    const named =
      "summary LIKE '%ada@%' OR summary LIKE '%4915123%' OR changes LIKE '%ada@%' AND operation LIKE '%preferences%'";
    expect(await platform.count('svc_activity', `operation LIKE 'audience.preferences%' AND (${named})`)).to.equal(0);
  });

  it('keeps state and history consistent under twenty concurrent changes', async () => {
    const { contact, set, standing, types } = await person();
    const changes: Changes[] = [
      { email: { topics: { news: true } } },
      { email: { topics: { news: false } } },
      { email: { topics: { news: true, offers: true } } },
      { email: { unsubscribeAll: true } },
      { email: { unsubscribeAll: false, topics: { offers: true } } },
    ];
    await concurrently((index) => set(changes[index % changes.length] ?? {}));
    const { stored, derived, ordinals, effective } = await consentStates(platform, contact.id);
    expect(stored).to.deep.equal(derived);
    for (const [place, found] of Object.entries(ordinals))
      expect(found, place).to.deep.equal(found.map((_, index) => index + 1));
    // Every effective record changed the state and has one event.
    for (const [place, states] of Object.entries(effective))
      expect(
        states.filter((state, index) => state === states[index - 1]),
        place,
      ).to.deep.equal([]);
    const consentEvents = (await types()).filter((type) => type.startsWith('audience.consent.'));
    expect(consentEvents).to.have.length(Object.values(effective).flat().length);
    // The page shows the state of the records, whichever change was last.
    const { channels } = await set({ email: { topics: { news: true } } });
    expect(channels.email.topics[0]?.subscribed).to.equal(true);
    expect(await standing()).to.deep.equal([]);
  });
});
