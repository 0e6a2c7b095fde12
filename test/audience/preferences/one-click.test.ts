import { expect } from 'chai';
import type { MessageTopic } from '#plugins/audience/ports.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { auditCount, contactOf, eventsOf, concurrently, topicOf } from '../support.js';
import { messageToken, consentStates, tampered } from './support.js';

const multipart = (boundary: string): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--${boundary}--\r\n`;

/** The two encodings of RFC 8058 §3.1, as mail programs send them. */
const bodies: Readonly<Record<string, { type: string; body: string }>> = {
  'a urlencoded body': { type: 'application/x-www-form-urlencoded', body: 'List-Unsubscribe=One-Click' },
  'a multipart body': { type: 'multipart/form-data; boundary=--b1', body: multipart('--b1') },
  'a multipart body with a quoted boundary': {
    type: 'multipart/form-data; charset=utf-8; boundary="one click"',
    body: multipart('one click'),
  },
};
const usual = { type: 'application/x-www-form-urlencoded', body: 'List-Unsubscribe=One-Click' };

describe('One-click unsubscribe (RFC 8058)', () => {
  const platform = usePlatform();
  beforeEach(() => platform.clock.advance(minutes(11)));

  const post = async (token: string, { type, body } = usual) => {
    const answer = await fetch(`${platform.running.address}/preferences?token=${token}`, {
      method: 'POST',
      headers: { 'Content-Type': type },
      body,
      redirect: 'manual',
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const person = async (message?: MessageTopic) => {
    const account = await platform.account();
    await topicOf(account.svc);
    await topicOf(account.svc, { key: 'offers', name: 'Offers' });
    const contact = await contactOf(account.svc, {
      email: 'ada@example.com',
      phone: '+4915123456789',
      consents: ['news', 'offers'].flatMap((topic) =>
        (['email', 'sms'] as const).map((channel) => ({ topic, channel, source: 'form' })),
      ),
    });
    const seen = (await eventsOf(platform, account.live, '')).length;
    return {
      ...account,
      contact,
      token: messageToken(platform, contact.id, message),
      newEvents: async () => (await eventsOf(platform, account.live, '')).slice(seen),
      storedStates: async () => (await consentStates(platform, contact.id)).stored,
    };
  };
  const all = { 'email news': 'granted', 'email offers': 'granted', 'sms news': 'granted', 'sms offers': 'granted' };

  for (const [what, sent] of Object.entries(bodies)) {
    it(`revokes the topic of the message, with ${what}`, async () => {
      const { token, storedStates, newEvents, contact, svc, live } = await person();
      const { status, headers, text } = await post(token, sent);
      expect([status, text]).to.deep.equal([200, 'You are unsubscribed.\n']);
      expect(headers.get('content-type')).to.equal('text/plain; charset=utf-8');
      expect([headers.get('set-cookie'), headers.get('location')]).to.deep.equal([null, null]);
      expect(await storedStates()).to.deep.equal({ ...all, 'email news': 'revoked' });
      const [record] = (await svc.call('audience.consent.list', { contactId: contact.id, limit: 1 })).consents;
      expect(record).to.deep.include({ source: 'one-click unsubscribe', state: 'revoked', topic: 'news' });
      expect(record?.actor.kind).to.equal('public');
      const events = await newEvents();
      expect(events.map(({ type }) => type)).to.deep.equal([
        'audience.consent.revoked',
        'audience.preferences.changed',
      ]);
      for (const each of events) expect(each.personId).to.equal(contact.id);
      expect(await auditCount(platform, live, 'audience.preferences.set')).to.equal(1);
    });
  }

  it('unsubscribes from the whole channel when the message had no topic', async () => {
    const { token, storedStates, svc, contact, newEvents } = await person({ channel: 'sms', topic: null });
    expect((await post(token)).status).to.equal(200);
    expect(await storedStates()).to.deep.equal({ ...all, 'sms news': 'revoked', 'sms offers': 'revoked' });
    const { suppressions } = await svc.call('audience.contact.get', { contactId: contact.id });
    expect(suppressions.map(({ channel, reason }) => [channel, reason])).to.deep.equal([['sms', 'unsubscribe']]);
    expect((await newEvents()).map(({ type }) => type)).to.include('audience.suppression.added');
  });

  it('unsubscribes from mail when the link is in no message', async () => {
    const { svc, contact, storedStates } = await person();
    const { token } = await svc.call('audience.preferences.link', { contactId: contact.id });
    expect((await post(token)).status).to.equal(200);
    expect(await storedStates()).to.deep.equal({ ...all, 'email news': 'revoked', 'email offers': 'revoked' });
  });

  it('answers a repeat alike, and writes only its audit record', async () => {
    const { token, newEvents, live, contact } = await person();
    const answers = await concurrently(() => post(token));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
    expect(await newEvents()).to.have.length(2);
    expect(await auditCount(platform, live, 'audience.preferences.set')).to.equal(20);
    expect((await consentStates(platform, contact.id)).ordinals['email news']).to.deep.equal([1, 2]);
  });

  it('works for an archived topic, and after the address was removed', async () => {
    const { token, svc, contact, storedStates } = await person();
    await svc.call('audience.topic.archive', { topic: 'news' });
    await svc.call('audience.contact.update', { contactId: contact.id, email: null });
    expect((await post(token)).status).to.equal(200);
    expect((await storedStates())['email news']).to.equal('revoked');
  });

  it('changes nothing on GET and HEAD, which scanners send', async () => {
    const { token, storedStates, newEvents, live } = await person();
    const at = `${platform.running.address}/preferences?token=${token}&List-Unsubscribe=One-Click`;
    for (const method of ['GET', 'HEAD']) expect((await fetch(at, { method })).status, method).to.equal(200);
    expect(await storedStates()).to.deep.equal(all);
    expect(await newEvents()).to.deep.equal([]);
    expect(await auditCount(platform, live, 'audience.preferences.set')).to.equal(0);
  });

  it('refuses a bad token with 404, an expired one with 410, and redirects nobody', async () => {
    const { token, svc, contact, storedStates } = await person();
    const expiresAt = new Date(platform.clock.now().getTime() + minutes(1)).toISOString();
    const expired = await svc.call('audience.preferences.link', { contactId: contact.id, expiresAt });
    platform.clock.advance(minutes(1));
    for (const [bad, status] of [
      ['', 404],
      ['svc_pf_x', 404],
      [tampered(token, 40), 404],
      [token.slice(0, -2), 404],
      [expired.token, 410],
    ] as const) {
      const answer = await post(bad);
      expect(answer.status, bad).to.equal(status);
      expect(answer.headers.get('location')).to.equal(null);
      expect(answer.headers.get('content-type')).to.equal('text/plain; charset=utf-8');
      expect(answer.text).not.to.contain('ada@');
    }
    expect(await storedStates()).to.deep.equal(all);
  });

  it('accepts no other body', async () => {
    const { token, storedStates, live } = await person();
    for (const sent of [
      { type: 'application/x-www-form-urlencoded', body: '' },
      { type: 'application/x-www-form-urlencoded', body: 'List-Unsubscribe=No' },
      { type: 'application/json', body: '{"List-Unsubscribe":"One-Click"}' },
      { type: 'multipart/form-data', body: multipart('b') },
      { type: 'multipart/form-data; boundary=other', body: multipart('b') },
    ])
      expect((await post(token, sent)).status, sent.body).to.equal(409);
    expect(await storedStates()).to.deep.equal(all);
    expect(await auditCount(platform, live, 'audience.preferences.set')).to.equal(0);
  });

  it('does not limit a person because of others at the same mailbox provider', async () => {
    const account = await platform.account();
    await topicOf(account.svc);
    for (let n = 0; n < 61; n += 1) {
      const { id } = await contactOf(account.svc, { email: `reader${n}@example.com` });
      expect((await post(messageToken(platform, id))).status, `${n}`).to.equal(200);
    }
  });

  it('allows sixty requests per person in ten minutes', async () => {
    const { token } = await person();
    const statuses: number[] = [];
    for (let n = 0; n < 61; n += 1) statuses.push((await post(token)).status);
    expect(statuses).to.deep.equal([...Array.from({ length: 60 }, () => 200), 429]);
    platform.clock.advance(minutes(10));
    expect((await post(token)).status).to.equal(200);
  });
});
