import { expect } from 'chai';
import type { Environment } from '#core/kernel/caller/caller.js';
import { newId } from '#core/runtime/id.js';
import { dashboardSession, inEnvironment, withSession } from '../dashboard/support.js';
import type { Api } from '#test/support/api.js';
import { hours } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';

describe('account.activity.list', () => {
  const platform = usePlatform();

  itNeeding('email')('lists audit records, newest first, with actor, operation, subject and origin', async () => {
    const { svc } = await platform.account();
    const current = await svc.call('developers.key.current', {});
    const made = await svc.envelope(
      'developers.key.create',
      { name: 'Shop', permissions: ['email:read'] },
      { headers: { 'User-Agent': 'shop/2.0' } },
    );
    const renamed = await svc.envelope('developers.key.update', { keyId: made.result.key.id, name: 'Shop backend' });
    const { activities } = await svc.call('account.activity.list', { limit: 2 });
    expect(activities.map((each) => each.id)).to.deep.equal([renamed.activityId, made.activityId]);
    expect(activities[0]?.changes).to.deep.equal([{ field: 'name', from: 'Shop', to: 'Shop backend' }]);
    expect(activities[1]).to.deep.include({
      operation: 'developers.key.create',
      actor: { kind: 'key', id: current.key?.id, label: current.key?.name },
      subject: { type: 'key', id: made.result.key.id },
      summary: 'Created the secret key “Shop”.',
      changes: [{ field: 'permissions', from: null, to: ['email:read'] }],
      ip: '127.0.0.1',
      userAgent: 'shop/2.0',
      createdAt: platform.clock.now().toISOString(),
    });
    expect(activities[1]?.requestId).to.match(/^[0-9a-f-]{36}$/);
  });

  it('shows a test key only the records of its environment, and members in it the account-wide ones of live too', async () => {
    const { svc, svcTest, ownerEmail, live, test } = await platform.account();
    await svc.call('account.update', { country: 'DE' });
    await svc.call('account.theme.reset', {});
    const operationsOf = async (api: Api, environment?: Environment): Promise<string[]> => {
      const options = environment ? inEnvironment(environment) : {};
      return (await api.call('account.activity.list', {}, options)).activities.map(({ operation }) => operation);
    };
    expect(await operationsOf(svc)).to.deep.equal(['account.theme.reset', 'account.update', 'account.signup']);
    expect(await operationsOf(svcTest)).to.deep.equal(['account.signup']);
    const filtered = await svcTest.call('account.activity.list', { operation: 'account.update' });
    expect(filtered.activities).to.deep.equal([]);
    if (!platform.running.registry.products.has('auth')) return;
    const owner = withSession(platform, await dashboardSession(platform, ownerEmail));
    expect(await operationsOf(owner, test)).to.deep.equal(['account.update', 'account.signup']);
    expect(await operationsOf(owner, live)).to.deep.equal(['account.theme.reset', 'account.update', 'account.signup']);
  });

  it('shows account-wide records in every environment, and other records only in their own', async () => {
    const { svc, svcTest } = await platform.account();
    const own = await svcTest.envelope('account.theme.reset', {});
    const inTest = await svcTest.call('account.activity.list', {});
    const inLive = await svc.call('account.activity.list', {});
    expect(inTest.activities.map((each) => each.operation)).to.deep.equal(['account.theme.reset', 'account.signup']);
    expect(inTest.activities[0]?.id).to.equal(own.activityId);
    expect(inLive.activities.map((each) => each.operation)).to.deep.equal(['account.signup']);
    expect(inLive.activities[0]).to.deep.equal(inTest.activities[1]);
  });

  it('shows no record of another account with any filter', async () => {
    const one = await platform.account();
    const other = await platform.account();
    const { activityId } = await one.svc.envelope('account.theme.reset', {});
    const { activities } = await other.svc.call('account.activity.list', { subjectId: one.live.id });
    expect(activities).to.deep.equal([]);
    const later = await other.svc.call('account.activity.list', { before: activityId });
    expect(later.activities.every((each) => each.id !== activityId && each.operation === 'account.signup')).to.equal(
      true,
    );
  });

  it('refuses the name of no operation, and suggests the one that was meant', async () => {
    const { svc } = await platform.account();
    const list = (operation: string) => svc.call('account.activity.list', { operation });
    expect((await list('account.close')).activities, 'of an operation that was not called').to.deep.equal([]);
    expect((await list('billing.cap.set')).activities, 'of a product that may be off').to.deep.equal([]);
    const misspelt = await svc.refusal('account.activity.list', { operation: 'account.updat' });
    expect(misspelt).to.include({
      status: 400,
      code: 'invalid_input',
      message: 'The field “operation” is not the name of an operation: did you mean “account.update”?',
    });
    expect(misspelt.details).to.deep.equal({ field: 'operation' });
    expect(misspelt.fix).to.contain('Write “account.update” instead.');
    const unknown = await svc.refusal('account.activity.list', { operation: 'shop.cart.empty' });
    expect(unknown).to.include({
      code: 'invalid_input',
      message: 'The field “operation” is not the name of an operation.',
    });
  });

  it('writes no records of reads', async () => {
    const { svc } = await platform.account();
    await svc.call('account.get', {});
    await svc.call('account.activity.list', {});
    expect((await svc.call('account.activity.list', {})).activities).to.have.length(1);
  });

  it('pages through both kinds of records without gap or repeat while new ones are written', async () => {
    const { svc } = await platform.account();
    for (let made = 0; made < 6; made += 1) await svc.call('account.theme.reset', {});
    const all = (await svc.call('account.activity.list', {})).activities.map((each) => each.id);
    expect(all).to.have.length(7);
    const seen: string[] = [];
    let before: string | null = null;
    do {
      const page: { activities: { id: string }[]; nextBefore: string | null } = await svc.call(
        'account.activity.list',
        { limit: 3, ...(before === null ? {} : { before }) },
      );
      seen.push(...page.activities.map((each) => each.id));
      before = page.nextBefore;
      await svc.call('account.theme.reset', {});
    } while (before !== null);
    expect(seen).to.deep.equal(all);
  });

  it('filters by operation, actor and subject', async () => {
    const { svc, live } = await platform.account();
    const { key, plaintext } = await svc.call('developers.key.create', {
      name: 'Theme',
      permissions: ['account:write'],
    });
    await svc.call('account.theme.reset', {}, { key: plaintext });
    await svc.call('account.theme.reset', {});
    const found = async (filter: object): Promise<string[]> =>
      (await svc.call('account.activity.list', filter)).activities.map((each) => each.operation);
    expect(await found({ operation: 'account.theme.reset' })).to.have.length(2);
    const otherCase = await svc.refusal('account.activity.list', { operation: 'ACCOUNT.THEME.RESET' });
    expect(otherCase.message).to.contain('did you mean “account.theme.reset”?');
    expect(await found({ actorId: key.id })).to.deep.equal(['account.theme.reset']);
    expect(await found({ actorId: 'system' })).to.deep.equal(['account.signup']);
    expect(await found({ subjectId: key.id })).to.deep.equal(['developers.key.create']);
    expect(await found({ subjectId: live.id, actorId: key.id })).to.have.length(1);
    expect(await found({ subjectId: newId() })).to.deep.equal([]);
  });

  it('filters by time, including both ends', async () => {
    const { svc } = await platform.account();
    const first = await svc.envelope('account.theme.reset', {});
    platform.clock.advance(hours(50));
    const second = await svc.envelope('account.theme.reset', {});
    const between = platform.clock.now().toISOString();
    platform.clock.advance(hours(50));
    const third = await svc.envelope('account.theme.reset', {});
    const found = async (filter: { since?: string; until?: string }): Promise<string[]> =>
      (await svc.call('account.activity.list', { operation: 'account.theme.reset', ...filter })).activities.map(
        (each) => each.id,
      );
    expect(await found({ since: between })).to.deep.equal([third.activityId, second.activityId]);
    expect(await found({ until: between }), 'until is exclusive').to.deep.equal([first.activityId]);
    expect(await found({ since: between, until: between })).to.deep.equal([]);
    expect(await found({ since: '0001-01-01T00:00:00Z', until: '9999-12-31T23:59:59-14:00' })).to.have.length(3);
  });

  it('refuses an unknown cursor and an invalid time', async () => {
    const { svc } = await platform.account();
    for (const [field, value] of [
      ['before', 'first'],
      ['limit', 101],
      ['since', 'yesterday'],
      ['until', '2026-01-01T00:00:00'],
      ['accountId', newId()],
    ] as const) {
      const refusal = await svc.refusal('account.activity.list', { [field]: value });
      expect(refusal).to.deep.include({ code: 'invalid_input', status: 400, details: { field } });
    }
  });

  itNeeding('email')('never contains a key’s plaintext, nor does any event or stored answer', async () => {
    const { svc } = await platform.account();
    const made = await svc.call(
      'developers.key.create',
      { name: 'Canary', permissions: ['email:read'] },
      { idempotencyKey: 'canary' },
    );
    const rotated = await svc.call('developers.key.rotate', { keyId: made.key.id });
    const publishable = await svc.call('developers.key.create', { name: 'Browser', kind: 'publishable' });
    for (const { plaintext } of [made, rotated, publishable]) {
      const row = (...columns: string[]): string => `CONCAT_WS('|', ${columns.join(', ')}) LIKE '%${plaintext}%'`;
      expect(plaintext).to.match(/^svc_live_/);
      expect(await platform.count('svc_activity', row('summary', 'changes', 'actor_label', 'subject_id'))).to.equal(0);
      expect(await platform.count('svc_event', row('data', 'subject_id'))).to.equal(0);
      expect(await platform.count('svc_idempotency', row('answer'))).to.equal(0);
      expect(platform.logLines.join('\n')).not.to.contain(plaintext);
    }
    // The search finds what is stored, so it works.
    expect(await platform.count('svc_event', `data LIKE '%${made.key.prefix}%'`)).to.be.greaterThan(0);
  });
});
