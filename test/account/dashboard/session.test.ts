import { expect } from 'chai';
import { idBytes, newId } from '#core/runtime/id.js';
import { sessions } from '#plugins/auth/tables/session.js';
import { addMember } from '#test/account/support.js';
import { signedIn } from '#test/auth/support.js';
import { minutes } from '#test/support/clock.js';
import { at } from '#test/support/json.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding, needProducts } from '#test/support/products.js';
import { dashboardOf, dashboardSession, inEnvironment, withSession } from './support.js';

describe('A dashboard session', () => {
  needProducts('auth');
  const platform = usePlatform();

  it('acts in the environment that Svc-Environment names, as the member with a proven address of its user', async () => {
    const account = await platform.account();
    const session = await dashboardSession(platform, account.ownerEmail);
    const owner = withSession(platform, session);
    for (const environment of [account.live, account.test]) {
      const current = await owner.call('developers.key.current', {}, inEnvironment(environment));
      expect(current.environment.id).to.equal(environment.id);
      expect(current.key).to.equal(null);
      expect(current.member).to.include({ id: account.memberId, email: account.ownerEmail, role: 'owner' });
    }
  });

  it('must name an environment, and learns which there are', async () => {
    const [first, second] = [await platform.account(), await platform.account()];
    await addMember(platform, second, { role: 'viewer', email: first.ownerEmail });
    await addMember(platform, await platform.account(), { role: 'admin', email: first.ownerEmail, status: 'removed' });
    await addMember(platform, await platform.account(), { role: 'admin', email: first.ownerEmail, status: 'invited' });
    const session = withSession(platform, await dashboardSession(platform, first.ownerEmail));
    const refused = await session.refusal('account.get', {});
    expect(refused).to.include({ status: 400, code: 'environment_required' });
    const own = [first, second].flatMap(({ live, test }) => [live, test]);
    const { environments } = refused.details;
    expect(environments).to.be.an('array').with.length(4);
    const one = at(environments, '0');
    expect(one).to.have.all.keys('environmentId', 'kind', 'project', 'account', 'archived');
    expect(one).to.include({ environmentId: first.live.id, kind: 'live', account: 'Acme' });
    const ids = JSON.stringify(environments);
    for (const { id } of own) expect(ids).to.contain(id);
  });

  it('of the operator’s owner learns of customers’ projects, not of the one that members sign in to, where it may act', async () => {
    const owner = withSession(platform, await dashboardSession(platform, 'owner@mail.localhost'));
    const dashboard = await dashboardOf(platform);
    const { environments } = (await owner.refusal('account.get', {})).details;
    expect(JSON.stringify(environments)).to.contain('First project').and.not.contain('Dashboard');
    const current = await owner.call('developers.key.current', {}, inEnvironment(dashboard));
    expect(current.environment.id).to.equal(dashboard.id);
  });

  it('of somebody who is a member nowhere may act nowhere', async () => {
    const session = withSession(platform, await dashboardSession(platform, 'stranger@example.com'));
    const refused = await session.refusal('account.get', {});
    expect(refused).to.include({ code: 'environment_required' });
    expect(refused.details).to.deep.equal({ environments: [] });
  });

  it('answers alike for another account’s environment, one that does not exist and a value that is not an id', async () => {
    const account = await platform.account();
    const other = await platform.account();
    const session = withSession(platform, await dashboardSession(platform, account.ownerEmail));
    const answers = await Promise.all(
      [other.live.id, newId(), 'no-id', `${account.live.id}%`].map((id) =>
        session.refusal('account.get', {}, inEnvironment({ id })),
      ),
    );
    const facts = answers.map(({ status, code, message, fix }) => ({ status, code, message, fix }));
    expect(facts[0]).to.include({ status: 403, code: 'forbidden' });
    for (const each of facts) expect(each).to.deep.equal(facts[0]);
  });

  it('counts for proven addresses alone', async () => {
    const account = await platform.account();
    const session = await dashboardSession(platform, account.ownerEmail);
    await platform.running.services.database.run('UPDATE auth_identity SET verified_at = NULL WHERE user_id = ?', [
      idBytes(session.userId),
    ]);
    const refused = await withSession(platform, session).refusal('account.get', {}, inEnvironment(account.live));
    expect(refused).to.include({ status: 403, code: 'forbidden' });
  });

  it('is the strongest of several members with addresses of the same user', async () => {
    const account = await platform.account();
    const email = `second-${account.ownerEmail}`;
    const session = await dashboardSession(platform, email);
    await addMember(platform, account, { role: 'viewer', email });
    await platform.running.services.database.run(
      `INSERT INTO auth_identity (id, environment_id, user_id, kind, identity_key, value, provider, verified_at, is_primary, created_at)
       VALUES (?, ?, ?, 'email', ?, ?, NULL, NOW(3), 0, NOW(3))`,
      [
        idBytes(newId()),
        idBytes((await dashboardOf(platform)).id),
        idBytes(session.userId),
        account.ownerEmail,
        account.ownerEmail,
      ],
    );
    const { member } = await withSession(platform, session).call(
      'developers.key.current',
      {},
      inEnvironment(account.live),
    );
    expect(member).to.include({ email: account.ownerEmail, role: 'owner' });
  });

  it('is refused with token_invalid once it has ended or expired, and if it is forged or another environment’s', async () => {
    const account = await platform.account();
    const here = inEnvironment(account.live);
    const ended = await dashboardSession(platform, account.ownerEmail);
    await withSession(platform, ended).call('account.get', {}, here);
    const { database } = platform.running.services;
    await database.update(sessions, { id: ended.sessionId }, { endedAt: platform.clock.now() });
    const expired = await dashboardSession(platform, account.ownerEmail);
    platform.clock.advance(minutes(15));
    const elsewhere = await signedIn(platform, account.live, { email: account.ownerEmail });
    const forged = { accessToken: `${elsewhere.accessToken.slice(0, -4)}AAAA` };
    for (const session of [ended, expired, elsewhere, forged]) {
      const refused = await withSession(platform, session).refusal('account.get', {}, here);
      expect(refused).to.include({ status: 401, code: 'token_invalid' });
    }
  });

  it('is none of the dashboard’s test environment', async () => {
    const account = await platform.account();
    const live = await dashboardOf(platform);
    const [twin] = await platform.running.services.database.rows<{ id: Buffer }>(
      "SELECT id FROM svc_environment WHERE project_id = ? AND kind = 'test'",
      [idBytes(live.projectId)],
    );
    const id = twin?.id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') ?? '';
    const session = await signedIn(platform, { ...live, id, kind: 'test' }, { email: account.ownerEmail });
    const refused = await withSession(platform, session).refusal('account.get', {}, inEnvironment(account.live));
    expect(refused).to.include({ status: 401, code: 'token_invalid' });
  });

  it('is none while somebody impersonates the user', async () => {
    const account = await platform.account();
    const session = await dashboardSession(platform, account.ownerEmail);
    const impersonated = { impersonatorId: newId(), impersonatorLabel: 'support@example.com' };
    await platform.running.services.database.update(sessions, { id: session.sessionId }, impersonated);
    const refused = await withSession(platform, session).refusal('account.get', {}, inEnvironment(account.live));
    expect(refused).to.include({ status: 401, code: 'token_invalid' });
  });

  it('ends with the user’s ban', async () => {
    const account = await platform.account();
    const session = await dashboardSession(platform, account.ownerEmail);
    await platform.running.services.database.run('UPDATE auth_user SET banned_at = NOW(3) WHERE id = ?', [
      idBytes(session.userId),
    ]);
    const refused = await withSession(platform, session).refusal('account.get', {}, inEnvironment(account.live));
    expect(refused).to.include({ status: 401, code: 'token_invalid' });
  });

  it('loses the account with the member’s removal, and follows a new role, from the next request on', async () => {
    const account = await platform.account();
    const email = `admin-${account.ownerEmail}`;
    const { id: memberId } = await addMember(platform, account, { role: 'admin', email });
    const session = withSession(platform, await dashboardSession(platform, email));
    const here = inEnvironment(account.live);
    await session.call('account.update', { name: 'Acme Ltd' }, here);
    await account.svc.call('account.member.role.set', { memberId, role: 'viewer' });
    await session.call('account.get', {}, here);
    const lowered = await session.refusal('account.update', { name: 'Acme' }, here);
    expect(lowered).to.include({ code: 'permission_required' });
    expect(lowered.message).to.equal('Your role (viewer) does not hold account:write, which account.update needs.');
    expect(lowered.fix).to.contain('account.member.role.set').and.not.contain('this one');
    await account.svc.call('account.member.remove', { memberId });
    expect(await session.refusal('account.get', {}, here)).to.include({ status: 403, code: 'forbidden' });
    expect((await session.refusal('account.get', {})).details).to.deep.equal({ environments: [] });
  });

  it('holds the permissions of its role', async () => {
    const account = await platform.account();
    const { products } = platform.running.services.deployment;
    const permissionsAs = async (role: 'owner' | 'admin' | 'developer' | 'viewer'): Promise<string[]> => {
      const email = `${role}-${account.ownerEmail}`;
      await addMember(platform, account, { role, email });
      const session = withSession(platform, await dashboardSession(platform, email));
      return (await session.call('developers.key.current', {}, inEnvironment(account.test))).permissions;
    };
    const reads = products.map((name) => `${name}:read`);
    const all = products.flatMap((name) => [`${name}:read`, `${name}:write`]);
    expect(await permissionsAs('owner')).to.have.members(all);
    expect(await permissionsAs('admin')).to.have.members(all);
    expect(await permissionsAs('viewer')).to.have.members(reads);
    const developer = await permissionsAs('developer');
    expect(developer).to.include.members([...reads, 'auth:write', 'developers:write']);
    expect(developer).not.to.include('account:write');
  });

  it('is refused what owners alone may do, unless it is an owner’s', async () => {
    const account = await platform.account();
    const email = `admin-${account.ownerEmail}`;
    await addMember(platform, account, { role: 'admin', email });
    const admin = withSession(platform, await dashboardSession(platform, email));
    const refused = await admin.refusal('account.close', { reason: 'Testing.' }, inEnvironment(account.live));
    expect(refused).to.include({ code: 'owner_only' });
    const owner = withSession(platform, await dashboardSession(platform, account.ownerEmail));
    const { account: closed } = await owner.call('account.close', { reason: 'Testing.' }, inEnvironment(account.live));
    expect(closed.closedReason).to.equal('Testing.');
  });

  it('is named in the audit record as the member', async () => {
    const account = await platform.account();
    const owner = withSession(platform, await dashboardSession(platform, account.ownerEmail));
    const here = inEnvironment(account.live);
    const { activityId } = await owner.envelope('account.update', { name: 'Acme Ltd' }, here);
    const { activity } = await owner.call('account.activity.get', { activityId }, here);
    expect(activity.actor).to.deep.equal({ kind: 'member', id: account.memberId, label: account.ownerEmail });
  });

  itNeeding('email')('proves the address of whoever opened the account by signup', async () => {
    const account = await platform.account({ proven: false });
    const invite = { email: 'ada@example.com', role: 'viewer' as const };
    expect(await account.svc.refusal('account.member.invite', invite)).to.include({ code: 'identity_unverified' });
    const owner = withSession(platform, await dashboardSession(platform, account.ownerEmail));
    await owner.call('account.get', {}, inEnvironment(account.test));
    await owner.call('account.member.invite', invite, inEnvironment(account.test));
  });

  it('has 600 requests a minute of its own', async () => {
    const account = await platform.account();
    const owner = withSession(platform, await dashboardSession(platform, account.ownerEmail));
    const here = inEnvironment(account.live);
    const first = (await owner.call('developers.key.current', {}, here)).rateLimit;
    expect(first.limit).to.equal(600);
    await Promise.all(Array.from({ length: first.remaining }, () => owner.raw('/account/get', '{}', here)));
    const refused = await owner.refusal('account.get', {}, here);
    expect(refused).to.include({ status: 429, code: 'rate_limited' });
    expect(Number(refused.headers.get('retry-after'))).to.be.greaterThan(0);
    await account.svc.call('account.get', {});
  });

  it('shares no stored answer with another member, nor between environments', async () => {
    const account = await platform.account();
    const email = `second-${account.ownerEmail}`;
    await addMember(platform, account, { role: 'owner', email });
    const [one, two] = [
      withSession(platform, await dashboardSession(platform, account.ownerEmail)),
      withSession(platform, await dashboardSession(platform, email)),
    ];
    const idempotencyKey = newId();
    const call = (api: typeof one, environment: typeof account.live) =>
      api.envelope('account.update', { name: 'Acme Ltd' }, { idempotencyKey, ...inEnvironment(environment) });
    const first = await call(one, account.live);
    expect((await call(one, account.live)).activityId).to.equal(first.activityId);
    const others = [await call(two, account.live), await call(one, account.test)].map(({ activityId }) => activityId);
    expect(new Set([first.activityId, ...others]).size).to.equal(3);
  });

  it('calls operations of secret keys alone', async () => {
    const account = await platform.account();
    const owner = withSession(platform, await dashboardSession(platform, account.ownerEmail));
    const refused = await owner.refusal('auth.signin.start', { email: 'ada@example.com' }, inEnvironment(account.live));
    expect(refused.code).to.be.oneOf(['publishable_key_required', 'unknown_operation']);
  });

  it('is offered to no browser of another site: its operations answer no preflight', async () => {
    const headers = { Origin: 'https://other.example.com', 'Access-Control-Request-Method': 'POST' };
    const answer = await platform.api.raw('/account/get', undefined, { method: 'OPTIONS', headers });
    expect([answer.status, answer.headers.get('Access-Control-Allow-Origin')]).to.deep.equal([405, null]);
  });

  it('works on every node, and stops on every node', async () => {
    const account = await platform.account();
    const session = await dashboardSession(platform, account.ownerEmail);
    const node = await platform.secondNode();
    const there = node.as(session.accessToken);
    await there.call('account.get', {}, inEnvironment(account.live));
    await platform.running.services.database.update(
      sessions,
      { id: session.sessionId },
      { endedAt: platform.clock.now() },
    );
    expect(await there.refusal('account.get', {}, inEnvironment(account.live))).to.include({ code: 'token_invalid' });
    await node.stop();
  });

  it('is looked up no more for an address that presents a hundred invalid ones in a minute', async () => {
    platform.clock.advance(minutes(1));
    const good = await platform.account();
    const known = withSession(platform, await dashboardSession(platform, good.ownerEmail));
    await known.call('account.get', {}, inEnvironment(good.live));
    const junk = (n: number) => withSession(platform, { accessToken: `eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ9.${n}abc` });
    for (let n = 0; n < 100; n += 1)
      expect(await junk(n).refusal('account.get', {})).to.include({ code: 'token_invalid' });
    expect(await junk(100).refusal('account.get', {})).to.include({ code: 'rate_limited' });
    await known.call('account.get', {}, inEnvironment(good.live));
    platform.clock.advance(minutes(1));
  });

  it('may call nothing until it has passed the second factor that the dashboard’s settings require', async () => {
    const account = await platform.account();
    const operator = withSession(platform, await dashboardSession(platform, 'owner@mail.localhost', { mfa: true }));
    const dashboard = inEnvironment(await dashboardOf(platform));
    await operator.call('auth.settings.set', { mfa: { required: true } }, dashboard);
    try {
      const here = inEnvironment(account.live);
      const one = withSession(platform, await dashboardSession(platform, account.ownerEmail));
      for (const operation of ['account.get', 'developers.key.current'] as const)
        expect(await one.refusal(operation, {}, here)).to.include({ status: 403, code: 'mfa_required' });
      const listed = await one.raw('/mcp', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', here);
      expect(listed.text).to.contain('mfa_required');
      // Nothing about environments: not which there are, nor whether one exists.
      const refusals = [
        await one.refusal('account.get', {}),
        await one.refusal('account.get', {}, inEnvironment({ id: newId() })),
        await one.refusal('account.get', {}, here),
      ].map(({ status, code, message, fix, details }) => ({ status, code, message, fix, details }));
      expect(refusals[0]).to.include({ status: 403, code: 'mfa_required' });
      for (const each of refusals) expect(each).to.deep.equal(refusals[0]);
      expect((await one.raw('/mcp', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}')).text).not.to.contain(
        account.live.id,
      );
      const two = withSession(platform, await dashboardSession(platform, account.ownerEmail, { mfa: true }));
      await two.call('account.get', {}, here);
    } finally {
      await operator.call('auth.settings.reset', {}, dashboard);
    }
  });
});
