import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { themeWith } from './theme-with.js';

describe('account.theme.reset', () => {
  const platform = usePlatform();

  it('restores the default theme and deletes the draft', async () => {
    const { svc, live } = await platform.account();
    const before = await svc.call('account.theme.get', {});
    await svc.call('account.theme.draft.save', { theme: themeWith() });
    await svc.call('account.theme.publish', {});
    await svc.call('account.theme.draft.save', { theme: themeWith({ brandName: 'Acme Ltd' }) });
    const { activityId, result } = await svc.envelope('account.theme.reset', {});
    expect(result.published).to.deep.equal(before.published);
    const { updatedAt, ...after } = await svc.call('account.theme.get', {});
    expect({ ...after, updatedAt: null }).to.deep.equal(before);
    expect(updatedAt).to.be.a('string');
    const { activity, events } = await svc.call('account.activity.get', { activityId });
    expect(activity.changes).to.deep.include({ field: 'font', from: 'serif', to: 'system' });
    expect(events).to.have.length(1);
    expect(events[0]).to.deep.include({
      type: 'account.theme.reset',
      subject: { type: 'theme', id: live.id },
      data: { published: result.published },
    });
  });

  it('deletes a draft that was never published', async () => {
    const { svc, live } = await platform.account();
    await svc.call('account.theme.draft.save', { theme: themeWith() });
    await svc.call('account.theme.reset', {});
    expect((await svc.call('account.theme.get', {})).draft).to.equal(null);
    expect((await platform.events(live)).at(-1)?.type).to.equal('account.theme.reset');
  });

  it('answers 200 where there is nothing to reset, without an event, with its own audit record', async () => {
    const { svc, live } = await platform.account();
    const { activityId, result } = await svc.envelope('account.theme.reset', {});
    expect(result.published.version).to.equal(0);
    expect(await platform.events(live)).to.deep.equal([]);
    const { activity } = await svc.call('account.activity.get', { activityId });
    expect(activity).to.deep.include({ operation: 'account.theme.reset', changes: [] });
  });

  it('emits one event in concurrent calls', async () => {
    const { svc, live } = await platform.account();
    await svc.call('account.theme.draft.save', { theme: themeWith() });
    await Promise.all(Array.from({ length: 12 }, () => svc.call('account.theme.reset', {})));
    const resets = (await platform.events(live)).filter((event) => event.type === 'account.theme.reset');
    expect(resets).to.have.length(1);
  });

  it('does not change the other environment’s theme', async () => {
    const { svc, svcTest } = await platform.account();
    await svcTest.call('account.theme.draft.save', { theme: themeWith() });
    await svcTest.call('account.theme.publish', {});
    await svc.call('account.theme.reset', {});
    expect((await svcTest.call('account.theme.get', {})).published.version).to.equal(1);
  });
});
