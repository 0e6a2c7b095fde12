import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { openLink } from '#plugins/audience/preferences/token.js';
import { refusalBody } from '#test/account/support.js';
import { days, minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { auditOf, contactOf, eventsOf } from '../support.js';
import { messageToken } from './support.js';

describe('audience.preferences.link', () => {
  const platform = usePlatform();
  beforeEach(() => platform.clock.advance(minutes(11)));

  it('creates a link that opens the contact’s preferences, and writes only its audit record', async () => {
    const { svc, live } = await platform.account();
    const contact = await contactOf(svc, { email: 'ada@example.com', phone: '+4915123456789' });
    const before = (await eventsOf(platform, live, '')).length;
    for (const named of [{ contactId: contact.id }, { email: 'ADA@Example.com' }, { phone: '+4915123456789' }]) {
      const { activityId, result } = await svc.envelope('audience.preferences.link', named);
      const { baseUrl } = platform.running.services.deployment;
      expect(result).to.deep.equal({
        url: `${baseUrl}/preferences?token=${result.token}`,
        token: result.token,
        expiresAt: null,
      });
      const { preferences } = await platform.api.call('audience.preferences.get', { token: result.token });
      expect(preferences.email).to.equal('a•••@example.com');
      expect(await auditOf(platform, activityId)).to.deep.equal({
        operation: 'audience.preferences.link',
        subject: `contact ${contact.id}`,
        personId: contact.id,
        summary: 'Created a preferences link.',
        changes: [{ field: 'link', from: null, to: '(withheld)' }],
      });
    }
    expect((await eventsOf(platform, live, '')).length).to.equal(before);
  });

  it('creates a link that expires when asked to', async () => {
    const { svc } = await platform.account();
    const { id } = await contactOf(svc);
    const expiresAt = new Date(platform.clock.now().getTime() + minutes(30)).toISOString();
    const { token, expiresAt: expiresAtOfLink } = await svc.call('audience.preferences.link', {
      contactId: id,
      expiresAt,
    });
    expect(expiresAtOfLink).to.equal(expiresAt);
    platform.clock.advance(minutes(30) - 1);
    expect((await platform.api.call('audience.preferences.get', { token })).preferences.email).to.equal(
      'a•••@example.com',
    );
    platform.clock.advance(1);
    const refused = await platform.api.refusal('audience.preferences.get', { token });
    expect(refused).to.include({ code: 'link_expired', status: 410 });
    expect(refused.details).to.deep.equal({ expiredAt: expiresAt });
    expect(refused.fix).to.contain('audience.preferences.link');
    const change = { token, email: { unsubscribeAll: true } };
    expect((await platform.api.refusal('audience.preferences.set', change)).code).to.equal('link_expired');
  });

  it('refuses an expiry in the past, and more or fewer than one way of naming the contact', async () => {
    const { svc } = await platform.account();
    const { id } = await contactOf(svc);
    const now = platform.clock.now().toISOString();
    const wrong: [object, string][] = [
      [{ contactId: id, expiresAt: now }, 'expiresAt'],
      [{ contactId: id, expiresAt: '2001-01-01T00:00:00Z' }, 'expiresAt'],
      [{ contactId: id, expiresAt: 'tomorrow' }, 'expiresAt'],
      [{}, 'contactId'],
      [{ contactId: id, email: 'ada@example.com' }, 'email'],
    ];
    for (const [input, field] of wrong) {
      const refused = await svc.refusal('audience.preferences.link', input);
      expect(refused, JSON.stringify(input)).to.include({ code: 'invalid_input', status: 400 });
      expect(refused.details).to.deep.equal({ field });
    }
  });

  it('answers alike for another environment’s contact and an unknown one', async () => {
    const { svc, svcTest } = await platform.account();
    const { id } = await contactOf(svc);
    const unknown = refusalBody(await svcTest.refusal('audience.preferences.link', { contactId: newId() }));
    expect(unknown).to.include({ code: 'not_found', status: 404 });
    for (const named of [{ contactId: id }, { email: 'ada@example.com' }])
      expect(refusalBody(await svcTest.refusal('audience.preferences.link', named))).to.deep.equal(unknown);
  });

  it('keeps the token out of the audit log, and out of the stored answer’s plain text', async () => {
    const { svc } = await platform.account();
    const { id } = await contactOf(svc);
    const { token } = await svc.call('audience.preferences.link', { contactId: id }, { idempotencyKey: newId() });
    const secret = token.slice(-40);
    for (const [table, column] of [
      ['svc_activity', 'summary'],
      ['svc_activity', 'changes'],
      ['svc_idempotency', 'answer'],
      ['svc_event', 'data'],
    ])
      expect(await platform.count(table ?? '', `LOCATE('${secret}', ${column}) > 0`), table).to.equal(0);
    expect(await platform.count('svc_idempotency')).to.be.greaterThan(0);
  });
});

describe('The token of a preferences link', () => {
  const platform = usePlatform();
  const vault = () => platform.running.services.vault;

  it('opens to what was sealed, and differs each time', () => {
    const contactId = newId();
    for (const message of [
      { channel: 'email', topic: 'news' },
      { channel: 'sms', topic: 'x'.repeat(64) },
      { channel: 'sms', topic: null },
    ] as const) {
      const token = messageToken(platform, contactId, message);
      expect(openLink(vault(), token)).to.deep.equal({ contactId, message, expiresAt: null });
      expect(messageToken(platform, contactId, message)).not.to.equal(token);
      expect(token).to.match(/^svc_pf_[A-Za-z0-9._-]+$/);
    }
  });

  it('reveals neither the contact nor the topic by its length', () => {
    const contactId = newId();
    const tokens = ['news', 'offers', 'a', 'product_updates'].map((topic) =>
      messageToken(platform, contactId, { channel: 'email', topic }),
    );
    expect(new Set(tokens.map(({ length }) => length)).size).to.equal(1);
    for (const token of tokens) {
      const bytes = Buffer.from(token.slice('svc_pf_'.length), 'base64url');
      expect(bytes.includes(Buffer.from(contactId.replaceAll('-', ''), 'hex'))).to.equal(false);
      expect(bytes.toString('latin1')).not.to.match(/news|offers|product/);
    }
  });

  it('stays valid for years', async () => {
    const { svc } = await platform.account();
    const { id } = await contactOf(svc);
    const token = messageToken(platform, id);
    platform.clock.advance(days(3650));
    expect((await platform.api.call('audience.preferences.get', { token })).preferences.email).to.equal(
      'a•••@example.com',
    );
  });
});
