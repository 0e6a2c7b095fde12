import { expect } from 'chai';
import { setOwnShard } from '#core/runtime/shard.js';
import { shardOfId } from '#core/runtime/id.js';
import { shardOfToken } from '#core/runtime/secrets/digest.js';
import { publish, publisher, reached, sendBroadcast, subscribe } from '#test/email/broadcast/support.js';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';

describe('A deployment with SVC_SHARD=2', () => {
  const platform = usePlatform({ settings: () => ({ SVC_SHARD: '2', SVC_BASE_URL: 'http://localhost:8099' }) });
  // The shard belongs to the process, which also runs other test files.
  after(() => setOwnShard(1));

  it('makes ids and keys that name the shard, and answers calls with them', async () => {
    const { svc, accountId, projectId, live, keys } = await platform.account();
    expect([accountId, projectId, live.id].map(shardOfId)).to.deep.equal([2, 2, 2]);
    const [secret, publishable] = [keys.live.secret, keys.live.publishable];
    expect(secret).to.match(/^svc_live_[A-Za-z0-9]{43}$/);
    expect(publishable).to.match(/^svc_live_pk[A-Za-z0-9]{40}$/);
    expect(shardOfToken(secret.slice('svc_live_'.length))).to.equal(2);
    expect(shardOfToken(publishable.slice('svc_live_pk'.length))).to.equal(2);
    const created = await svc.envelope('developers.key.create', { name: 'CI', permissions: ['developers:read'] });
    expect([created.activityId, created.result.key.id].map(shardOfId)).to.deep.equal([2, 2]);
    const { key } = await svc.call('developers.key.current', {}, { key: created.result.plaintext });
    expect(key?.id).to.equal(created.result.key.id);
  });

  describe('with links to preferences', () => {
    needProducts('audience');

    it('names the shard before their tokens, which open as before', async () => {
      const { svc } = await platform.account();
      const { contact } = await svc.call('audience.contact.upsert', { email: 'ada@example.com' });
      const { url } = await svc.call('audience.preferences.link', { contactId: contact.id });
      const token = new URL(url).searchParams.get('token') ?? '';
      expect(token).to.match(/^svc_pf_B\.[\w-]+$/);
      const shown = await platform.api.call('audience.preferences.get', { token });
      expect(shown.preferences.email).to.match(/example\.com$/);
      const codeOf = async (wrong: string): Promise<string> =>
        (await platform.api.refusal('audience.preferences.get', { token: wrong })).code;
      expect(await codeOf(token.replace('_B.', '_C.')), 'of a shard that the node does not know').to.equal(
        'unavailable',
      );
      expect(await codeOf(token.replace('_B.', '_')), 'of none').to.equal('not_found');
    });
  });

  describe('with a broadcast', () => {
    needProducts('email');
    needProducts('audience');

    it('names the shard in the ids that the database makes', async () => {
      const sender = await publisher(platform);
      await publish(sender, { en: { subject: 'News', text: 'Hello' } });
      await subscribe(sender, ['ada@example.com', 'bob@example.com']);
      const broadcastId = await sendBroadcast(sender);
      await reached(sender, broadcastId, 'sent');
      const { messages } = await sender.svc.call('email.message.list', { broadcastId });
      const { events } = await sender.svc.call('developers.event.list', { types: ['email.queued'] });
      const ids = [...messages.map(({ messageId }) => messageId), ...events.map(({ id }) => id)];
      expect(ids).to.have.length(4);
      expect(new Set(ids).size).to.equal(4);
      expect(ids.map(shardOfId)).to.deep.equal([2, 2, 2, 2]);
    });
  });

  it('does not start with another number, and says how to start', async () => {
    const refused = await platform.secondNode({ SVC_SHARD: '3' }).then(
      () => '',
      (error: unknown) => String(error),
    );
    expect(refused).to.contain('The database is shard 2, and SVC_SHARD is 3').and.contain('Set SVC_SHARD to 2');
  });

  it('does not start without the number either', async () => {
    const refused = await platform.secondNode({ SVC_SHARD: '' }).then(
      () => '',
      (error: unknown) => String(error),
    );
    expect(refused).to.contain('The database is shard 2, and SVC_SHARD is 1');
  });
});

describe('A deployment that was started before SVC_SHARD existed', () => {
  const platform = usePlatform();
  after(() => setOwnShard(1));

  it('is shard 1', async () => {
    await platform.running.services.database.run("DELETE FROM svc_setting WHERE variable = 'SVC_SHARD'");
    const refused = await platform.secondNode({ SVC_SHARD: '2' }).then(
      () => '',
      (error: unknown) => String(error),
    );
    expect(refused).to.contain('The database is shard 1, and SVC_SHARD is 2');
    const node = await platform.secondNode({});
    await node.stop();
    expect(await platform.count('svc_setting', "variable = 'SVC_SHARD' AND value = '1'")).to.equal(1);
  });
});
