import { expect } from 'chai';
import { emitAnything } from '#test/support/emit.js';
import { newId } from '#core/runtime/id.js';
import { dashboardSession, inEnvironment, withSession } from '../dashboard/support.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';

describe('account.activity.get', () => {
  const platform = usePlatform();

  itNeeding('email')('shows the audit record of a call’s activityId, with the events it wrote', async () => {
    const { svc, accountId, projectId, live } = await platform.account();
    const { activityId, result } = await svc.envelope('developers.key.create', {
      name: 'Shop',
      permissions: ['email:read'],
    });
    const { activity, events } = await svc.call('account.activity.get', { activityId });
    expect(activity).to.deep.include({
      id: activityId,
      operation: 'developers.key.create',
      subject: { type: 'key', id: result.key.id },
    });
    expect(events).to.have.length(1);
    const [event] = events;
    expect(event?.id).to.match(/^[0-9a-f-]{36}$/);
    expect(event).to.deep.equal({
      id: event?.id,
      type: 'developers.key.created',
      createdAt: platform.clock.now().toISOString(),
      accountId,
      projectId,
      environmentId: live.id,
      environment: 'live',
      activityId,
      subject: { type: 'key', id: result.key.id },
      data: { key: result.key },
    });
    const { activities } = await svc.call('account.activity.list', {});
    expect(activities).to.deep.include(activity);
  });

  it('can be found by the request id of the response’s header', async () => {
    const { svc } = await platform.account();
    const answer = await svc.raw('/account/theme/reset', '{}');
    const { activities } = await svc.call('account.activity.list', { operation: 'account.theme.reset' });
    expect(activities.map((each) => each.requestId)).to.deep.equal([answer.headers.get('x-request-id')]);
  });

  it('shows a record without events where nothing changed', async () => {
    const { svc } = await platform.account();
    const { activityId } = await svc.envelope('account.theme.reset', {});
    expect((await svc.call('account.activity.get', { activityId })).events).to.deep.equal([]);
  });

  it('shows account-wide records and account-level events from the other environment too', async () => {
    const { svc, svcTest, test } = await platform.account();
    const opened = (await svcTest.call('account.activity.list', { operation: 'account.signup' })).activities[0];
    const { activity, events } = await svc.call('account.activity.get', { activityId: opened?.id ?? '' });
    expect(activity).to.deep.equal(opened);
    expect(events.map((event) => [event.type, event.environmentId])).to.deep.equal([['account.created', test.id]]);
  });

  itNeeding('auth')('hides events of one environment’s messages from the other environment', async () => {
    const { svc, svcTest, accountId, ownerEmail, live, test } = await platform.account();
    const { key } = await svc.call('developers.key.current', {});
    const activityId = await platform.running.services.transaction('Test', async (context) => {
      context.actIn(live);
      context.audit({
        operation: 'account.reopen',
        subject: { type: 'account', id: accountId },
        summary: 'Both at once.',
      });
      emitAnything(context, 'account.updated', { subjectId: accountId, data: {} }, live);
      emitAnything(context, 'developers.key.updated', { subjectId: key?.id ?? '', data: { key } }, live);
      emitAnything(context, 'developers.key.updated', { subjectId: test.id, data: {} }, test);
      return context.activityId;
    });
    const seen = async (api: typeof svc): Promise<string[]> =>
      (await api.call('account.activity.get', { activityId })).events.map(
        (event) => `${event.environment} ${event.type}`,
      );
    expect(await seen(svc)).to.deep.equal(['live account.updated', 'live developers.key.updated']);
    const owner = withSession(platform, await dashboardSession(platform, ownerEmail));
    const inTest = await owner.call('account.activity.get', { activityId }, inEnvironment(test));
    expect(inTest.events.map((event) => `${event.environment} ${event.type}`)).to.deep.equal([
      'live account.updated',
      'test developers.key.updated',
    ]);
    // A record of live: a test key does not see it.
    expect(await svcTest.refusal('account.activity.get', { activityId })).to.include({ code: 'not_found' });
  });

  it('answers another account’s record, another environment’s own and an unknown id alike', async () => {
    const mine = await platform.account();
    const other = await platform.account();
    const foreign = await other.svc.envelope('account.theme.reset', {});
    const sibling = await mine.svcTest.envelope('account.theme.reset', {});
    const random = await mine.svc.refusal('account.activity.get', { activityId: newId() });
    expect(random).to.include({ code: 'not_found', status: 404 });
    for (const activityId of [foreign.activityId, sibling.activityId]) {
      const { code, status, message, fix, details } = await mine.svc.refusal('account.activity.get', { activityId });
      expect({ code, status, message, fix, details }).to.deep.equal({
        code: random.code,
        status: random.status,
        message: random.message,
        fix: random.fix,
        details: random.details,
      });
    }
  });

  it('refuses an invalid id', async () => {
    const { svc } = await platform.account();
    const refusal = await svc.refusal('account.activity.get', { activityId: 'last' });
    expect(refusal).to.deep.include({ code: 'invalid_input', details: { field: 'activityId' } });
  });
});
