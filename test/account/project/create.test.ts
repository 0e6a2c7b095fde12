import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { projects } from '#plugins/account/tables/project.js';
import { usePlatform } from '#test/support/platform.js';
import { addMember, auditOf, keyOf, secretOf } from '../support.js';

describe('account.project.create', () => {
  const platform = usePlatform();

  const projectsOf = (accountId: string): Promise<number> =>
    platform.count('account_project', `account_id = 0x${accountId.replaceAll('-', '')}`);

  it('adds a project with a live and a test environment, whose first keys work', async () => {
    const account = await platform.account();
    const { activityId, result } = await account.svc.envelope('account.project.create', { name: 'Second Shop' });
    const { project, environments, keys } = result;
    expect(project).to.include({ name: 'Second Shop', locale: 'en', timeZone: 'UTC' });
    expect(project.slug).to.match(/^second-shop/);
    expect(environments.map(({ kind, projectId }) => ({ kind, projectId }))).to.deep.equal([
      { kind: 'live', projectId: project.id },
      { kind: 'test', projectId: project.id },
    ]);
    expect(keys.live?.secret).to.match(/^svc_live_[A-Za-z0-9]{43}$/);
    expect(keys.live?.publishable).to.match(/^svc_live_pk[A-Za-z0-9]{40}$/);
    expect(keys.test.publishable).to.match(/^svc_test_pk[A-Za-z0-9]{40}$/);
    const mine = await account.svc.call('developers.key.current', {});
    for (const [index, key] of [keys.live?.secret, keys.test.secret].entries()) {
      const current = await platform.api.call('developers.key.current', {}, { key });
      expect(current.environment).to.deep.equal(environments[index]);
      expect(current.permissions).to.deep.equal(mine.permissions);
    }
    expect(await auditOf(platform, activityId)).to.deep.equal({
      operation: 'account.project.create',
      subjectId: project.id,
      summary: 'Added the project “Second Shop”.',
      changes: [{ field: 'name', from: null, to: 'Second Shop' }],
      accountWide: true,
    });
  });

  it('returns no live keys to a test key', async () => {
    const { svcTest } = await platform.account();
    const { environments, keys } = await svcTest.call('account.project.create', { name: 'From test' });
    expect(keys.live).to.equal(null);
    expect(keys.test.secret).to.match(/^svc_test_/);
    const live = environments.find(({ kind }) => kind === 'live')?.id ?? '';
    expect(await platform.count('developers_key', `environment_id = 0x${live.replaceAll('-', '')}`)).to.equal(0);
  });

  it('returns no live keys until an owner’s address is proven', async () => {
    const account = await platform.account({ proven: false });
    const early = await account.svc.call('account.project.create', { name: 'Early' });
    expect(early.keys.live).to.equal(null);
    await addMember(platform, account, { role: 'admin' });
    expect((await account.svc.call('account.project.create', { name: 'Still early' })).keys.live).to.equal(null);
    await addMember(platform, account, { role: 'owner' });
    expect((await account.svc.call('account.project.create', { name: 'Late' })).keys.live).not.to.equal(null);
  });

  it('creates keys with the caller’s permissions and role, never more', async () => {
    const account = await platform.account();
    const permissions = ['account:write', 'developers:write', 'email:read'];
    const weak = await keyOf(platform, account, { role: 'admin', permissions, environment: account.live });
    const { keys } = await weak.call('account.project.create', { name: 'Weak' });
    for (const key of [keys.live?.secret, keys.test.secret]) {
      const current = await platform.api.call('developers.key.current', {}, { key });
      expect(current.permissions).to.deep.equal(permissions);
    }
    const change = { memberId: account.memberId, role: 'viewer' as const };
    const refused = await platform.api.refusal('account.member.role.set', change, { key: keys.live?.secret });
    expect(refused).to.include({ code: 'owner_only' });
  });

  it('refuses a caller that may not create keys', async () => {
    const account = await platform.account();
    const weak = await keyOf(platform, account, { role: 'owner', permissions: ['account:read', 'account:write'] });
    const refused = await weak.refusal('account.project.create', { name: 'Sly' });
    expect(refused).to.include({ status: 403, code: 'permission_exceeds_caller' });
    expect(refused.message).to.contain('developers:write');
    expect(await projectsOf(account.accountId)).to.equal(1);
  });

  it('creates keys that are lowered when their creator is removed', async () => {
    const account = await platform.account();
    const { id } = await addMember(platform, account, { role: 'admin' });
    const theirs = await keyOf(platform, account, { role: 'admin', memberId: id, environment: account.test });
    const { keys, environments } = await theirs.call('account.project.create', { name: 'Theirs' });
    // Another key for the new environment: its last one could not be lowered.
    const test = environments.find(({ kind }) => kind === 'test');
    await secretOf(platform, account, { role: 'owner', environment: { ...account.test, ...test } });
    await account.svc.call('account.member.remove', { memberId: id });
    const refused = await platform.api.refusal('account.project.create', { name: 'More' }, { key: keys.test.secret });
    expect(refused).to.include({ code: 'permission_required' });
  });

  it('refuses the name of another project of the account in any case, in concurrent calls too', async function () {
    this.timeout(30_000);
    const account = await platform.account();
    const racers = await Promise.allSettled(
      ['Café', 'café', 'CAFÉ', 'Cafe\u0301', ' café '].map((name) =>
        account.svc.call('account.project.create', { name }),
      ),
    );
    expect(racers.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    expect(await projectsOf(account.accountId)).to.equal(2);
    const refused = await account.svc.refusal('account.project.create', { name: 'CAFÉ' });
    expect(refused).to.include({ status: 409, code: 'name_taken' });
    const other = await platform.account();
    const { project } = await other.svc.call('account.project.create', { name: 'Café' });
    expect(project.slug).to.match(/^cafe-/);
  });

  it('spells ligatures and letters without an accent of their own out in the slug', async () => {
    const account = await platform.account();
    const { project } = await account.svc.call('account.project.create', { name: 'Œuvre & Weiß Łódź' });
    expect(project.slug).to.match(/^oeuvre-weiss-lodz/);
  });

  it('gives no project a label that svc itself uses under the mail domain', async () => {
    const account = await platform.account();
    for (const name of ['Test', 'bounce', 'Mail']) {
      const { project } = await account.svc.call('account.project.create', { name });
      expect(project.slug).to.match(/^project-/);
    }
  });

  it('stops at 100 projects, in concurrent calls too', async function () {
    this.timeout(30_000);
    const account = await platform.account();
    const createdAt = platform.clock.now();
    const fixed = { locale: 'en', timeZone: 'UTC', archivedAt: null, byTestKey: false };
    const shared = { accountId: account.accountId, createdAt, ...fixed };
    const rows = Array.from({ length: 97 }, (_, n) => ({
      ...shared,
      id: newId(),
      name: `P${n}`,
      nameKey: `p${n}`,
      slug: `p${n}-${newId()}`,
    }));
    await platform.running.services.database.insert(projects, rows);
    const racers = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => account.svc.call('account.project.create', { name: `Racer ${n}` })),
    );
    expect(racers.filter(({ status }) => status === 'fulfilled')).to.have.length(2);
    expect(await projectsOf(account.accountId)).to.equal(100);
    const refused = await account.svc.refusal('account.project.create', { name: 'One more' });
    expect(refused).to.include({ status: 409, code: 'limit_reached' });
    expect(refused.message).to.contain('100');
  });

  it('lets keys of test environments create 5, also with the keys of those projects, and a live key more', async () => {
    const { svc, svcTest } = await platform.account();
    let key = '';
    for (let n = 0; n < 5; n += 1) {
      const { keys } = await svcTest.call('account.project.create', { name: `Test ${n}` });
      key = keys.test.secret;
    }
    const refused = await svcTest.refusal('account.project.create', { name: 'One more' });
    expect(refused).to.include({ status: 409, code: 'limit_reached' });
    expect(refused.message).to.contain('5 projects that keys of test environments created');
    expect(refused.fix).to.contain('live key');
    const chained = await platform.api.refusal('account.project.create', { name: 'Chained' }, { key });
    expect(chained.code).to.equal('limit_reached');
    await svc.call('account.project.create', { name: 'Live' });
  });

  it('counts a test key’s projects no longer once an owner has archived them', async () => {
    const { svc, svcTest } = await platform.account();
    const made = [];
    for (let n = 0; n < 5; n += 1) made.push(await svcTest.call('account.project.create', { name: `Test ${n}` }));
    const projectId = made[0]?.project.id ?? '';
    await svc.call('account.project.update', { projectId, archived: true });
    await svcTest.call('account.project.create', { name: 'Again' });
    expect((await svcTest.refusal('account.project.create', { name: 'More' })).code).to.equal('limit_reached');
  });

  it('adds no project to a closed account', async () => {
    const account = await platform.account();
    await account.svc.call('account.close', { reason: 'Test' });
    expect(await account.svc.refusal('account.project.create', { name: 'Late' })).to.include({
      status: 403,
      code: 'account_closed',
    });
    expect(await projectsOf(account.accountId)).to.equal(1);
  });

  it('answers a repeat with the same Idempotency-Key byte for byte, and stores its keys encrypted', async () => {
    const account = await platform.account();
    const again = { idempotencyKey: 'project-1' };
    const first = await account.svc.raw('/account/project/create', '{"name":"Once"}', again);
    const second = await account.svc.raw('/account/project/create', '{"name":"Once"}', again);
    expect(second.headers.get('idempotent-replayed')).to.equal('true');
    expect(second.text).to.equal(first.text);
    const secret = /svc_test_[A-Za-z0-9]{43}/.exec(first.text)?.[0] ?? '';
    expect(secret).not.to.equal('');
    expect(await platform.count('svc_idempotency', `answer LIKE '%${secret}%'`)).to.equal(0);
    expect(await platform.count('svc_activity', `changes LIKE '%${secret}%' OR summary LIKE '%${secret}%'`)).to.equal(
      0,
    );
  });

  it('marks only the operator’s projects as the operator’s', async () => {
    const key = platform.running.firstRun?.keys.live.secret;
    const { project } = await platform.api.call('account.project.create', { name: 'Own' }, { key });
    const theirs = await (await platform.account()).svc.call('account.project.create', { name: 'Own' });
    const operators = (id: string): Promise<number> =>
      platform.count('svc_environment', `project_id = 0x${id.replaceAll('-', '')} AND operator = 1`);
    expect(await operators(project.id)).to.equal(2);
    expect(await operators(theirs.project.id)).to.equal(0);
  });
});
