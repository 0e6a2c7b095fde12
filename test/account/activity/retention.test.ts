import { expect } from 'chai';
import { housekeeping } from '#core/platform/housekeeping.js';
import { days, hours } from '#test/support/clock.js';
import { usePlatform, type TestPlatform } from '#test/support/platform.js';

async function forget({ running }: TestPlatform): Promise<void> {
  for (const job of housekeeping(running.services)) if (job.name === 'svc.forget-audit') await job.run();
}

describe('Retention of audit records', () => {
  const platform = usePlatform({ settings: () => ({ SVC_AUDIT_RETENTION_DAYS: '30' }) });

  it('deletes those that are older, and says so', async () => {
    const { svc, live } = await platform.account();
    const { activityId } = await svc.envelope('account.update', { name: 'Before' });
    platform.clock.advance(days(30) - hours(1));
    await forget(platform);
    expect((await svc.call('account.activity.get', { activityId })).activity.operation).to.equal('account.update');
    platform.clock.advance(hours(2));
    const { activityId: later } = await svc.envelope('account.update', { name: 'After' });
    await forget(platform);
    const { activities, keptSince } = await svc.call('account.activity.list', {});
    expect(activities.map(({ id }) => id)).to.deep.equal([later]);
    expect(keptSince).to.equal(new Date(platform.clock.now().getTime() - days(30)).toISOString());
    const { code, fix } = await svc.refusal('account.activity.get', { activityId });
    expect(code).to.equal('not_found');
    expect(fix).to.equal(
      'Check the id or name that you sent; audit records written more than 30 days ago are deleted (SVC_AUDIT_RETENTION_DAYS), and account.activity.list shows what exists.',
    );
    // Events have a retention time of their own.
    const updates = (await platform.events(live)).filter(({ type }) => type === 'account.updated');
    expect(updates.map((event) => event.activityId)).to.deep.equal([activityId, later]);
  });
});

describe('Without SVC_AUDIT_RETENTION_DAYS', () => {
  const platform = usePlatform();

  it('audit records are kept', async () => {
    const { svc } = await platform.account();
    const { activityId } = await svc.envelope('account.update', { name: 'Before' });
    platform.clock.advance(days(5_000));
    await forget(platform);
    expect((await svc.call('account.activity.get', { activityId })).activity.operation).to.equal('account.update');
    expect((await svc.call('account.activity.list', {})).keptSince).to.equal(null);
  });
});
