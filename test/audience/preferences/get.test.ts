import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { createVault } from '#core/runtime/secrets/vault.js';
import { withShard } from '#core/runtime/secrets/sealed-shard.js';
import { addSuppression } from '#plugins/audience/suppressions/store.js';
import { preferencesUrl, sealLink } from '#plugins/audience/preferences/token.js';
import type { Channel, SuppressionReason } from '#plugins/audience/ports.js';
import { refusalBody } from '#test/account/support.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { contactOf, eventsOf, topicOf } from '../support.js';
import { messageToken, tampered } from './support.js';

describe('audience.preferences.get', () => {
  const platform = usePlatform();
  beforeEach(() => platform.clock.advance(minutes(11)));
  const read = async (token: string) => (await platform.api.call('audience.preferences.get', { token })).preferences;
  const suppressed = ({ live }: TestAccount, channel: Channel, address: string, reason: SuppressionReason) =>
    platform.running.services.transaction('Test', async (context) => {
      context.actIn(live);
      await addSuppression(context, live.id, { channel, address, reason, note: null });
    });

  it('shows the public topics of each channel, and what the person is subscribed to', async () => {
    const account = await platform.account();
    const { svc, live, projectId } = account;
    await topicOf(svc, { description: 'Once a month.' });
    await topicOf(svc, { key: 'offers', name: 'Offers', channels: ['email'] });
    await topicOf(svc, { key: 'staff', name: 'Staff', public: false });
    await topicOf(svc, { key: 'old', name: 'Old' });
    await svc.call('audience.topic.archive', { topic: 'old' });
    const { id } = await contactOf(svc, {
      email: 'ada@example.com',
      phone: '+4915123456789',
      consents: [{ topic: 'news', channel: 'email', source: 'form' }],
    });
    const [project] = (await svc.call('account.project.list', {})).projects.filter((each) => each.id === projectId);
    const news = { key: 'news', name: 'Newsletter', description: 'Once a month.' };
    expect(await read(messageToken(platform, id))).to.deep.equal({
      environmentId: live.id,
      projectName: project?.name,
      // Masked: links are forwarded.
      email: 'a•••@example.com',
      phone: '+49•••89',
      channels: {
        email: {
          topics: [
            { ...news, subscribed: true },
            { key: 'offers', name: 'Offers', description: null, subscribed: false },
          ],
          unsubscribedAll: false,
          suppressionReason: null,
        },
        sms: { topics: [{ ...news, subscribed: false }], unsubscribedAll: false, suppressionReason: null },
      },
    });
  });

  it('shows the message’s own topic even if it is not public, on the message’s channel only', async () => {
    const { svc } = await platform.account();
    await topicOf(svc);
    await topicOf(svc, { key: 'staff', name: 'Staff', public: false });
    const { id } = await contactOf(svc, { email: 'ada@example.com', phone: '+4915123456789' });
    const keys = async (topic: string): Promise<string[][]> => {
      const { email, sms } = (await read(messageToken(platform, id, { channel: 'email', topic }))).channels;
      return [email, sms].map(({ topics }) => topics.map(({ key }) => key));
    };
    expect(await keys('staff')).to.deep.equal([['news', 'staff'], ['news']]);
    expect(await keys('news')).to.deep.equal([['news'], ['news']]);
    await svc.call('audience.topic.archive', { topic: 'staff' });
    expect(await keys('staff')).to.deep.equal([['news'], ['news']]);
  });

  it('shows no topics on a channel without an address', async () => {
    const { svc } = await platform.account();
    await topicOf(svc);
    const { id } = await contactOf(svc, { phone: '+4915123456789' });
    const { email, channels } = await read(messageToken(platform, id));
    expect(email).to.equal(null);
    expect(channels.email).to.deep.equal({ topics: [], unsubscribedAll: false, suppressionReason: null });
    expect(channels.sms.topics).to.have.length(1);
  });

  it('shows the most relevant suppression reason, the person’s own wish first', async () => {
    const account = await platform.account();
    const { id } = await contactOf(account.svc, { email: 'ada@example.com', phone: '+4915123456789' });
    const token = messageToken(platform, id);
    const steps: [Channel, SuppressionReason, boolean][] = [
      ['email', 'manual', false],
      ['email', 'bounce', false],
      ['email', 'complaint', true],
      ['email', 'unsubscribe', true],
      ['sms', 'bounce', false],
      ['sms', 'unsubscribe', true],
      ['sms', 'stop', true],
    ];
    for (const [channel, reason, unsubscribedAll] of steps) {
      await suppressed(account, channel, channel === 'email' ? 'ada@example.com' : '+4915123456789', reason);
      const shown = (await read(token)).channels[channel];
      expect(shown, reason).to.deep.include({ suppressionReason: reason, unsubscribedAll });
    }
  });

  it('shows nothing as subscribed while unsubscribed from everything, except after STOP', async () => {
    const account = await platform.account();
    await topicOf(account.svc);
    const consents = (['email', 'sms'] as const).map((channel) => ({ topic: 'news', channel, source: 'form' }));
    const { id } = await contactOf(account.svc, { email: 'ada@example.com', phone: '+4915123456789', consents });
    const token = messageToken(platform, id);
    const subscribed = async () => {
      const { email, sms } = (await read(token)).channels;
      return [email, sms].map(({ topics }) => topics[0]?.subscribed);
    };
    await suppressed(account, 'email', 'ada@example.com', 'bounce');
    expect(await subscribed()).to.deep.equal([true, true]);
    await suppressed(account, 'email', 'ada@example.com', 'complaint');
    await suppressed(account, 'sms', '+4915123456789', 'stop');
    expect(await subscribed()).to.deep.equal([false, true]);
  });

  it('answers not_found alike for every invalid token', async () => {
    const { svc } = await platform.account();
    const { id } = await contactOf(svc);
    const token = messageToken(platform, id);
    const foreign = createVault(randomBytes(32));
    const gone = await contactOf(svc, { email: 'gone@example.com' });
    const goneToken = messageToken(platform, gone.id);
    await svc.call('audience.contact.delete', { contactId: gone.id });
    const forged = [
      '',
      'svc_pf_',
      'svc_pf_not base64',
      token.slice('svc_pf_'.length),
      token.replace('svc_pf_', 'svc_iv_'),
      token.slice(0, -1),
      token.slice(0, 40),
      `${token}A`,
      `${token}=`,
      token.toUpperCase(),
      ...[7, 8, 12, 30, 60, token.length - 1].map((at) => tampered(token, at)),
      // The last character of an unpadded token has unused bits: its other spellings are refused too.
      ...['A', 'B', 'C', 'D', 'E', 'F'].map((last) => `${token.slice(0, -1)}${last}`).filter((each) => each !== token),
      `svc_pf_${randomBytes(65).toString('base64url')}`,
      new URL(preferencesUrl(foreign, 'http://x', id, { channel: 'email', topic: 'news' })).searchParams.get('token'),
      sealLink(platform.running.services.vault, { contactId: newId(), message: null, expiresAt: null }),
      goneToken,
      'x'.repeat(20_000),
    ];
    const first = refusalBody(await platform.api.refusal('audience.preferences.get', { token: forged[0] }));
    expect(first).to.include({ code: 'not_found', status: 404 });
    for (const each of forged)
      expect(
        refusalBody(await platform.api.refusal('audience.preferences.get', { token: each })),
        each ?? '',
      ).to.deep.equal(first);
    expect((await read(token)).email).to.equal('a•••@example.com');
  });

  it('does not open values sealed for another purpose', async () => {
    const { svc } = await platform.account();
    const { id } = await contactOf(svc);
    const plain = Buffer.concat([Buffer.of(0), Buffer.from(id.replaceAll('-', ''), 'hex'), Buffer.alloc(15)]);
    const sealed = (place: { table: string; column: string; row: string }): string =>
      `svc_pf_${withShard(platform.running.services.vault.seal(plain, place).toString('base64url'))}`;
    const place = { table: 'audience_contact', column: 'preferences_link', row: 'link' };
    expect((await read(sealed(place))).email).to.equal('a•••@example.com');
    for (const other of [
      { ...place, row: id },
      { ...place, column: 'email' },
      { ...place, table: 'account_member' },
    ])
      expect((await platform.api.refusal('audience.preferences.get', { token: sealed(other) })).code).to.equal(
        'not_found',
      );
  });

  it('shows only the environment’s own contact and topics', async () => {
    const { svc, svcTest, live, test } = await platform.account();
    await topicOf(svc, { key: 'staff', public: false });
    await topicOf(svcTest, { key: 'staff', public: false });
    await topicOf(svcTest, { key: 'tests', name: 'Tests' });
    const [one, other] = [await contactOf(svc), await contactOf(svcTest)];
    const liveView = await read(messageToken(platform, one.id, { channel: 'email', topic: 'staff' }));
    expect(liveView.environmentId).to.equal(live.id);
    expect(liveView.channels.email.topics.map(({ key }) => key)).to.deep.equal(['staff']);
    const testView = await read(messageToken(platform, other.id, { channel: 'email', topic: 'staff' }));
    expect(testView.environmentId).to.equal(test.id);
    expect(testView.channels.email.topics.map(({ key }) => key)).to.deep.equal(['staff', 'tests']);
  });

  it('writes nothing', async () => {
    const { svc, live } = await platform.account();
    await topicOf(svc);
    const { id } = await contactOf(svc);
    const before = [await platform.count('svc_activity'), (await eventsOf(platform, live, '')).length];
    await read(messageToken(platform, id));
    expect([await platform.count('svc_activity'), (await eventsOf(platform, live, '')).length]).to.deep.equal(before);
  });

  it('allows sixty reads and changes per IP in ten minutes, and says when to retry', async () => {
    const { svc } = await platform.account();
    await topicOf(svc);
    const { id } = await contactOf(svc);
    const token = messageToken(platform, id);
    for (let call = 0; call < 30; call += 1) {
      await read(token);
      await platform.api.call('audience.preferences.set', { token, email: { topics: { news: call % 2 === 0 } } });
    }
    platform.clock.advance(minutes(4));
    for (const [name, input] of [
      ['audience.preferences.get', { token }],
      ['audience.preferences.set', { token, email: { unsubscribeAll: true } }],
    ] as const) {
      const refused = await platform.api.refusal(name, input);
      expect(refused, name).to.include({ code: 'rate_limited', status: 429 });
      expect(refused.fix).to.contain('360 seconds');
      expect(refused.headers.get('retry-after')).to.equal(null);
    }
    platform.clock.advance(minutes(6));
    expect((await read(token)).channels.email.unsubscribedAll).to.equal(false);
  });
});
