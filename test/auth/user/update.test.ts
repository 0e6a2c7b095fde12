import { expect } from 'chai';
import { auditOf, concurrently, eventsOf } from '#test/audience/support.js';
import { usePlatform } from '#test/support/platform.js';

describe('auth.user.update', () => {
  const platform = usePlatform();
  const made = async () => {
    const account = await platform.account();
    const { user } = await account.svc.call('auth.user.create', {
      email: 'ada@example.com',
      name: 'Ada',
      metadata: { plan: 'pro', seats: { used: 1, paid: 5 } },
      privateMetadata: { score: 3 },
    });
    return { ...account, userId: user.id };
  };

  it('merges metadata key by key: a key is replaced as a whole, null removes it', async () => {
    const { svc, userId } = await made();
    const { user } = await svc.call('auth.user.update', {
      userId,
      metadata: { seats: { paid: 6 }, plan: null, trial: false },
      privateMetadata: { score: null, note: 'x' },
    });
    expect(user.metadata).to.deep.equal({ seats: { paid: 6 }, trial: false });
    expect(user.privateMetadata).to.deep.equal({ note: 'x' });
    expect(user.name, 'absent fields stay').to.equal('Ada');
  });

  it('bounds what metadata grows to by many calls', async () => {
    const { svc, userId } = await made();
    await svc.call('auth.user.update', { userId, metadata: { one: 'x'.repeat(10_000) } });
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`);
    const nested = await svc.refusal('auth.user.update', { userId, metadata: { deep } });
    expect(nested).to.include({ status: 400, code: 'invalid_input' });
    expect(nested.details).to.deep.equal({ field: 'metadata' });
    const refused = await svc.refusal('auth.user.update', { userId, metadata: { two: 'x'.repeat(10_000) } });
    expect(refused).to.include({ code: 'invalid_input' });
    expect(refused.message).to.contain('16 KiB');
  });

  it('changes and removes facts', async () => {
    const { svc, userId } = await made();
    const changed = await svc.call('auth.user.update', {
      userId,
      name: 'Ada King',
      pictureUrl: 'https://example.com/ada.png',
      locale: 'de-at',
      externalId: 'customer-1',
    });
    expect(changed.user).to.include({
      name: 'Ada King',
      pictureUrl: 'https://example.com/ada.png',
      locale: 'de-AT',
      externalId: 'customer-1',
    });
    expect((await svc.call('auth.user.get', { externalId: 'customer-1' })).user.id).to.equal(userId);
    const nothing = { name: null, pictureUrl: null, locale: null, externalId: null };
    expect((await svc.call('auth.user.update', { userId, ...nothing })).user).to.include(nothing);
  });

  it('refuses a picture that a browser would run, and an invalid language tag', async () => {
    const { svc, userId } = await made();
    for (const input of [
      { pictureUrl: 'javascript:alert(1)' },
      { pictureUrl: 'data:text/html,x' },
      { locale: 'not a tag' },
    ])
      expect((await svc.refusal('auth.user.update', { userId, ...input })).code).to.equal('invalid_input');
  });

  it('gives a contested external id to one user', async () => {
    const { svc } = await platform.account();
    const users = await concurrently((index) => svc.call('auth.user.create', { email: `u${index}@example.com` }), 8);
    const outcomes = await concurrently(async (index) => {
      const input = { userId: users[index]?.user.id, externalId: 'one' };
      const { status, text } = await svc.raw('/auth/user/update', JSON.stringify(input));
      if (status !== 200) expect(text).to.contain('identity_taken');
      return status;
    }, 8);
    expect(outcomes.filter((status) => status === 200)).to.have.length(1);
  });

  it('loses no change under concurrent calls', async () => {
    const { svc, userId } = await made();
    await concurrently((index) => svc.call('auth.user.update', { userId, metadata: { [`k${index}`]: index } }));
    const { user } = await svc.call('auth.user.get', { userId });
    expect(Object.keys(user.metadata)).to.have.length(22);
  });

  it('writes an event without private metadata, and none where nothing changed', async () => {
    const { svc, live, userId } = await made();
    const input = { userId, metadata: { plan: 'max' }, privateMetadata: { secret: 'canary' } };
    const first = await svc.envelope('auth.user.update', input);
    const again = await svc.envelope('auth.user.update', input);
    expect(again.result).to.deep.equal(first.result);
    const events = await eventsOf(platform, live, 'auth.user.updated');
    expect(events).to.have.length(1);
    expect(JSON.stringify(events)).not.to.contain('canary');
    expect(events[0]?.personId).to.equal(userId);
    expect((await auditOf(platform, again.activityId)).summary).to.match(/^Nothing changed: /);
    expect((await auditOf(platform, first.activityId)).personId).to.equal(userId);
  });
});
