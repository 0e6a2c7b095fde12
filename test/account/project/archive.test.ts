import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { projects } from '#plugins/account/tables/project.js';
import { dashboardSession, inEnvironment, withSession } from '#test/account/dashboard/support.js';
import { send, useMail } from '#test/email/support.js';
import { hours } from '#test/support/clock.js';
import { at } from '#test/support/json.js';
import { itNeeding } from '#test/support/products.js';
import { addMember, auditOf, keyOf } from '../support.js';

describe('Archiving a project with account.project.update', () => {
  const mail = useMail({ optional: true });
  const { platform } = mail;

  /** An account with a second project, whose live key archives the first. */
  const twoProjects = async () => {
    const account = await platform.account();
    const { project, keys } = await account.svc.call('account.project.create', { name: 'Other' });
    const key = keys.live?.secret ?? '';
    const archived = (value: boolean, projectId = account.projectId) =>
      platform.api.call('account.project.update', { projectId, archived: value }, { key });
    return { account, key, otherId: project.id, archived };
  };
  const inOther = (key: string) => ({ key });

  it('refuses its keys with project_archived, and lets them work again once it is unarchived', async () => {
    const { account, archived } = await twoProjects();
    const { project } = await archived(true);
    expect(project.archivedAt).to.equal(platform.clock.now().toISOString());
    for (const svc of [account.svc, account.svcTest]) {
      const refused = await svc.refusal('account.get', {});
      expect(refused).to.include({ status: 403, code: 'project_archived' });
      expect(refused.fix).to.contain('account.project.update with archived: false');
    }
    expect((await archived(false)).project.archivedAt).to.equal(null);
    await account.svc.call('account.get', {});
    await account.svcTest.call('developers.key.list', {});
  });

  itNeeding('auth')('refuses its publishable keys', async () => {
    const { account, archived } = await twoProjects();
    const { plaintext } = await account.svc.call('developers.key.create', { name: 'App', kind: 'publishable' });
    await archived(true);
    const refused = await platform.api.refusal('auth.signin.methods', {}, { key: plaintext });
    expect(refused).to.include({ status: 403, code: 'project_archived' });
  });

  it('leaves an event and an audit record, and a repeat neither changes nor emits anything', async () => {
    const { account, key, archived } = await twoProjects();
    const input = { projectId: account.projectId, archived: true };
    const { activityId, result } = await platform.api.envelope('account.project.update', input, inOther(key));
    const record = await auditOf(platform, activityId);
    expect(record).to.deep.include({
      operation: 'account.project.update',
      subjectId: account.projectId,
      summary: `Archived the project “${result.project.name}”.`,
      changes: [{ field: 'archivedAt', from: null, to: result.project.archivedAt }],
    });
    platform.clock.advance(hours(1));
    expect((await archived(true)).project).to.deep.equal(result.project);
    await archived(false);
    await platform.settled();
    const { events } = await platform.api.call('developers.event.list', {}, inOther(key));
    const told = events
      .filter(({ type }) => type === 'account.updated')
      .map(({ data }) => at(data, 'project', 'archivedAt'));
    expect(told).to.deep.equal([null, result.project.archivedAt]);
  });

  it('does not count towards the limit of 100, which unarchiving respects', async function () {
    this.timeout(30_000);
    const { account, key, archived } = await twoProjects();
    const createdAt = platform.clock.now();
    const fixed = { locale: 'en', timeZone: 'UTC', archivedAt: null, byTestKey: false };
    const rows = Array.from({ length: 98 }, (_, n) => ({
      ...{ accountId: account.accountId, createdAt, ...fixed, id: newId() },
      ...{ name: `P${n}`, nameKey: `p${n}`, slug: `p${n}-${newId()}` },
    }));
    await platform.running.services.database.insert(projects, rows);
    const full = await platform.api.refusal('account.project.create', { name: 'More' }, inOther(key));
    expect(full.code).to.equal('limit_reached');
    expect(full.fix).to.contain('archived: true');
    await archived(true);
    await platform.api.call('account.project.create', { name: 'More' }, inOther(key));
    const input = { projectId: account.projectId, archived: false };
    const refused = await platform.api.refusal('account.project.update', input, inOther(key));
    expect(refused.code).to.equal('limit_reached');
  });

  it('lists archived projects apart, and stays changeable by name', async () => {
    const { account, key, otherId, archived } = await twoProjects();
    await archived(true);
    const listed = async (filter: boolean): Promise<string[]> =>
      (await platform.api.call('account.project.list', { archived: filter }, inOther(key))).projects.map(
        ({ id }) => id,
      );
    expect(await listed(true)).to.deep.equal([account.projectId]);
    expect(await listed(false)).to.deep.equal([otherId]);
    const input = { projectId: account.projectId, name: 'Old shop' };
    const { project } = await platform.api.call('account.project.update', input, inOther(key));
    expect(project.name).to.equal('Old shop');
    expect(project.archivedAt).to.be.a('string');
  });

  it('is refused to a key of the project itself, and for the last project', async () => {
    const { account, key, otherId, archived } = await twoProjects();
    const own = await account.svc.refusal('account.project.update', { projectId: account.projectId, archived: true });
    expect(own).to.include({ status: 409, code: 'project_in_use' });
    await archived(true);
    const last = await platform.api.refusal('account.project.update', { projectId: otherId, archived: true }, { key });
    expect(last.code).to.equal('project_in_use');
    const owner = withSession(platform, await dashboardSession(platform, account.ownerEmail));
    const other = { id: (await platform.api.call('developers.key.current', {}, { key })).environment.id };
    const input = { projectId: otherId, archived: true };
    const refused = await owner.refusal('account.project.update', input, inEnvironment(other));
    expect(refused.fix).to.contain('account.project.create');
  });

  it('is not open to test keys', async () => {
    const { account, otherId } = await twoProjects();
    const refused = await account.svcTest.refusal('account.project.update', { projectId: otherId, archived: true });
    expect(refused.code).to.equal('live_only');
  });

  itNeeding('auth')('lets members read it, unarchive it and change the account, but not what is in it', async () => {
    const { account, archived } = await twoProjects();
    await archived(true);
    const owner = withSession(platform, await dashboardSession(platform, account.ownerEmail));
    const here = inEnvironment(account.live);
    await owner.call('developers.key.list', {}, here);
    const refused = await owner.refusal('developers.key.create', { name: 'K', kind: 'secret' }, here);
    expect(refused.code).to.equal('project_archived');
    await owner.call('account.update', { name: 'Renamed' }, here);
    await owner.call('account.project.update', { projectId: account.projectId, archived: false }, here);
    await account.svc.call('account.get', {});
  });

  itNeeding('email')('holds its messages, also while the account is closed and reopened', async () => {
    const { account, key, archived } = await twoProjects();
    const sendAfter = new Date(platform.clock.now().getTime() + hours(1)).toISOString();
    const { messageId } = await send(account.svc, { sendAfter });
    await archived(true);
    await platform.api.call('account.close', { reason: 'For a while.' }, inOther(key));
    await platform.api.call('account.reopen', {}, inOther(key));
    expect((await account.svc.refusal('account.get', {})).code).to.equal('project_archived');
    platform.clock.advance(hours(2));
    await platform.settled();
    expect(mail.arrivalsOf(messageId)).to.have.length(0);
    await archived(false);
    await mail.mailOf(messageId);
  });

  itNeeding('email')('stays closed if it is unarchived in a closed account', async () => {
    const { account, key, archived } = await twoProjects();
    await archived(true);
    await platform.api.call('account.close', { reason: 'For a while.' }, inOther(key));
    await archived(false);
    expect((await account.svc.refusal('email.send', { to: 'a@example.com', subject: 'x', text: 'x' })).code).to.equal(
      'account_closed',
    );
    await platform.api.call('account.reopen', {}, inOther(key));
    expect((await send(account.svc)).status).to.equal('queued');
  });

  itNeeding('sms')('is refused while it has numbers, which are paid for', async () => {
    const { account, key, archived } = await twoProjects();
    const { number } = await account.svc.call('sms.number.assign', { country: 'US' });
    const input = { projectId: account.projectId, archived: true };
    const refused = await platform.api.refusal('account.project.update', input, inOther(key));
    expect(refused).to.include({ status: 409, code: 'project_in_use' });
    expect(refused.message).to.contain('1 phone number');
    expect(refused.fix).to.contain('sms.number.release');
    await account.svc.call('sms.settings.set', { defaultNumberId: null });
    await account.svc.call('sms.number.release', { numberId: number.id });
    await archived(true);
  });

  it('is open to an admin’s live key', async () => {
    const { account, otherId } = await twoProjects();
    const { id } = await addMember(platform, account, { role: 'admin' });
    const admin = await keyOf(platform, account, { role: 'admin', memberId: id, environment: account.live });
    await admin.call('account.project.update', { projectId: otherId, archived: true });
  });
});
