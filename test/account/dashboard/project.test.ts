import { expect } from 'chai';
import { atOwnShard } from '#core/runtime/shard.js';
import { dashboardSlug } from '#plugins/account/projects/insert-project.js';
import { at } from '#test/support/json.js';
import { usePlatform, type TestPlatform } from '#test/support/platform.js';
import { itNeeding, needProducts } from '#test/support/products.js';
import { dashboardOf, dashboardSession, inEnvironment, operatorOf, withSession } from './support.js';

const ownProjects = (platform: TestPlatform): Promise<number> =>
  platform.count('account_project', `slug = '${dashboardSlug}'`);

describe('The project that members sign in to', () => {
  needProducts('auth');
  const platform = usePlatform();

  it('belongs to the operator’s account, with a live and a test environment', async () => {
    const environment = await dashboardOf(platform);
    expect(environment).to.include({ kind: 'live', operator: true, closedAt: null });
    const { account } = await (await operatorOf(platform)).call('account.get', {});
    expect(environment.accountId).to.equal(account.id);
    const kinds = `project_id = (SELECT id FROM account_project WHERE slug = '${dashboardSlug}')`;
    expect(await platform.count('svc_environment', kinds)).to.equal(2);
  });

  it('is in no list of projects, and cannot be renamed', async () => {
    const operator = await operatorOf(platform);
    const { projects } = await operator.call('account.project.list', {});
    expect(projects.map(({ slug }) => slug)).to.deep.equal(['first-project']);
    expect((await operator.call('account.get', {})).projects).to.have.length(1);
    const { projectId } = await dashboardOf(platform);
    const refused = await operator.refusal('account.project.update', { projectId, name: 'Mine' });
    expect(refused).to.include({ status: 404, code: 'not_found' });
  });

  it('leaves its name to a project of the account', async () => {
    const operator = await operatorOf(platform);
    const { project } = await operator.call('account.project.create', { name: 'Dashboard' });
    expect(project.name).to.equal('Dashboard');
    expect(project.slug).not.to.equal(dashboardSlug);
  });

  it('is not among the 100 projects of an account', async () => {
    const operator = await operatorOf(platform);
    const { accountId } = await dashboardOf(platform);
    const { database } = platform.running.services;
    const listed = (await operator.call('account.project.list', { limit: 100 })).projects.length;
    for (let n = listed; n < 99; n += 1)
      await database.run(
        `INSERT INTO account_project (id, account_id, name, name_key, slug, locale, time_zone, created_at)
         VALUES (UNHEX(LEFT(SHA2(?, 256), 32)), UNHEX(?), ?, ?, ?, 'en', 'UTC', NOW(3))`,
        [`filler-${n}`, accountId.replaceAll('-', ''), `Filler ${n}`, `filler ${n}`, `filler-${n}`],
      );
    await operator.call('account.project.create', { name: 'The hundredth' });
    const refused = await operator.refusal('account.project.create', { name: 'One more' });
    expect(refused).to.include({ code: 'limit_reached' });
  });

  it('stays with the operator’s account, which cannot be closed', async () => {
    const refused = await (await operatorOf(platform)).refusal('account.close', { reason: 'Testing.' });
    expect(refused).to.include({ status: 403, code: 'forbidden' });
  });

  itNeeding('email')(
    'takes owners of the operator’s account alone: whoever writes there could make users of any address',
    async () => {
      const environment = await dashboardOf(platform);
      const owner = withSession(platform, await dashboardSession(platform, 'owner@mail.localhost'));
      const here = inEnvironment(environment);
      expect((await owner.call('developers.key.current', {}, here)).project.name).to.equal('Dashboard');
      const operator = await operatorOf(platform);
      const { database } = platform.running.services;
      for (const role of ['admin', 'developer', 'viewer'] as const) {
        const email = `${role}@example.com`;
        await operator.call('account.member.invite', { email, role });
        await database.run(
          "UPDATE account_member SET status = 'active', invite_sealed = NULL, proven_at = NOW(3), accepted_at = NOW(3) WHERE email_key = ?",
          [email],
        );
        const member = withSession(platform, await dashboardSession(platform, email));
        expect(await member.refusal('developers.key.current', {}, here)).to.include({ status: 403, code: 'forbidden' });
      }
    },
  );

  it('has no keys of its own: none can be created there', async () => {
    const owner = withSession(platform, await dashboardSession(platform, 'owner@mail.localhost'));
    const here = inEnvironment(await dashboardOf(platform));
    expect((await owner.call('developers.key.list', { revoked: true }, here)).keys).to.deep.equal([]);
    for (const input of [
      { name: 'Mine', kind: 'publishable' },
      { name: 'Mine', permissions: ['auth:read'] },
    ])
      expect(await owner.refusal('developers.key.create', input, here)).to.include({ status: 403, code: 'forbidden' });
  });
});

describe('A deployment without the project that members sign in to', () => {
  needProducts('auth');
  const platform = usePlatform();
  const drop = async (): Promise<void> => {
    const { database } = platform.running.services;
    await database.run(
      `DELETE FROM svc_environment WHERE project_id = (SELECT id FROM account_project WHERE slug = '${dashboardSlug}')`,
    );
    await database.run(`DELETE FROM account_project WHERE slug = '${dashboardSlug}'`);
  };

  it('gets it at its next start, and once', async () => {
    await drop();
    await platform.restart();
    const { id } = await dashboardOf(platform);
    await platform.restart();
    expect((await dashboardOf(platform)).id).to.equal(id);
    expect(await ownProjects(platform)).to.equal(1);
  });

  it('gets one when two nodes start at once', async () => {
    await drop();
    const nodes = await Promise.all([platform.secondNode(), platform.secondNode()]);
    expect(await ownProjects(platform)).to.equal(1);
    await Promise.all(nodes.map((node) => node.stop()));
  });
});

describe('A deployment whose auth is off', () => {
  const platform = usePlatform({ settings: () => ({ SVC_PRODUCTS: 'account,developers,email' }) });

  it('has no such project, and knows no dashboard sessions', async () => {
    expect(await ownProjects(platform)).to.equal(0);
    const session = { accessToken: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIwMTg5MGE1ZCJ9.c2lnbmF0dXJl' };
    expect(await withSession(platform, session).refusal('account.get', {})).to.include({ code: 'unauthenticated' });
    expect(await platform.api.refusal('account.member.accept', {})).to.include({ code: 'product_disabled' });
  });

  it('says nothing of a dashboard in /openapi.json', async () => {
    const { text } = await platform.api.raw(atOwnShard('/openapi.json'), undefined, { method: 'GET' });
    expect(at(JSON.parse(text), 'x-svc-dashboard')).to.equal(undefined);
  });
});
