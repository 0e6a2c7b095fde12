import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { atOwnShard } from '#core/runtime/shard.js';
import { sessions } from '#plugins/auth/tables/session.js';
import { dashboardOf, dashboardSession } from '#test/account/dashboard/support.js';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { signedIn } from '#test/auth/support.js';
import { hours } from '#test/support/clock.js';
import { startHttpFake } from '#test/support/http-fake.js';
import { at, isRecord } from '#test/support/json.js';
import type { TestAccount } from '#test/support/platform.js';
import { resultOf, runSvc, svcCommand, useConfigFolder } from './support.js';

describe('svc while somebody is signed in', function () {
  this.timeout(120_000);
  const mail = useSignInMail();
  const { platform } = mail;
  const config = useConfigFolder();
  const path = join(config, 'svc', 'config.json');

  const stored = async (...names: string[]): Promise<unknown> =>
    at(JSON.parse(await readFile(path, 'utf8')), 'profiles', ...names);
  const store = async (profile: object): Promise<void> => {
    await mkdir(join(config, 'svc'), { recursive: true });
    const facts = { current: 'default', profiles: { default: { baseUrl: platform.running.address, ...profile } } };
    await writeFile(path, JSON.stringify(facts), { mode: 0o600 });
  };
  const dashboardKey = async (): Promise<string> => {
    const { text } = await platform.api.raw(atOwnShard('/openapi.json'), undefined, { method: 'GET' });
    return String(at(JSON.parse(text), 'x-svc-dashboard', 'publishableKey'));
  };
  /** A profile of the account's owner, as `svc login` leaves it. */
  const signIn = async (
    account: Pick<TestAccount, 'ownerEmail' | 'test'>,
    facts: { expired?: true } = {},
  ): Promise<{ sessionId: string; refreshToken: string }> => {
    const { accessToken, refreshToken, sessionId } = await dashboardSession(platform, account.ownerEmail);
    const expiresAt = facts.expired ? Date.now() : Date.now() + 900_000;
    const environment = { id: account.test.id, kind: 'test', name: 'Acme / Shop' };
    const session = { accessToken, refreshToken, expiresAt, dashboardKey: await dashboardKey(), environment };
    await store({ session });
    return { sessionId, refreshToken };
  };
  const sessionRow = async (id: string) => {
    const row = await platform.running.services.database.findOne(sessions, { id });
    if (!row) throw new Error('There is no such session.');
    return row;
  };

  it('calls as the member, in the environment that svc env use chose', async () => {
    const account = await platform.account();
    await signIn(account);
    const before = resultOf((await runSvc(['whoami', '--json'], { config })).stdout);
    expect(at(before, 'environment', 'id')).to.equal(account.test.id);
    const people = await runSvc(['whoami', '--no-json'], { config });
    expect(people.stdout).to.contain(`${account.ownerEmail} (owner)`);
    const listed: unknown = JSON.parse((await runSvc(['env', 'list', '--json'], { config })).stdout);
    expect(listed).to.be.an('array').with.length(2);
    expect(at(listed, '0')).to.include({
      current: false,
      account: 'Acme',
      kind: 'live',
      environmentId: account.live.id,
    });
    const used = await runSvc(['env', 'use', 'acme', 'live'], { config });
    expect([used.code, used.stderr.includes(account.live.id)]).to.deep.equal([0, true]);
    const after = resultOf((await runSvc(['whoami', '--json'], { config })).stdout);
    expect(at(after, 'environment', 'id')).to.equal(account.live.id);
    const byId = await runSvc(['env', 'use', account.test.id], { config });
    expect(byId.code, byId.stderr).to.equal(0);
    const ambiguous = await runSvc(['env', 'use', 'acme'], { config });
    expect([ambiguous.code, ambiguous.stderr.includes('several')]).to.deep.equal([2, true]);
    const none = await runSvc(['env', 'use', 'elsewhere'], { config });
    expect([none.code, none.stderr.includes(account.live.id)]).to.deep.equal([2, true]);
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
  });

  it('leaves the project that members sign in to out of the list, and switches to it by its id', async () => {
    const { id } = await dashboardOf(platform);
    const { test } = await platform.account();
    await signIn({ ownerEmail: 'owner@mail.localhost', test });
    const listed = await runSvc(['env', 'list', '--no-json'], { config });
    expect(listed.stdout).to.contain('First project').and.not.contain('Dashboard');
    const used = await runSvc(['env', 'use', id], { config });
    expect([used.code, used.stderr]).to.deep.equal([0, `Calls act in First account / Dashboard, live (${id}).\n`]);
    const { code } = await runSvc(['env', 'use', (await platform.account()).live.id], { config });
    expect(code, 'the environment of others').to.equal(2);
  });

  it('says that keys act in their own environment', async () => {
    const { keys } = await platform.account();
    await store({ key: keys.test.secret });
    const { code, stderr } = await runSvc(['env', 'list'], { config });
    expect([code, stderr.includes('svc login')]).to.deep.equal([3, true]);
  });

  it('refreshes an expired token once, however many commands run at once', async () => {
    const account = await platform.account();
    const { sessionId, refreshToken } = await signIn(account, { expired: true });
    const ran = await Promise.all(Array.from({ length: 4 }, () => runSvc(['account', 'get', '--json'], { config })));
    expect(ran.map(({ code, stderr }) => [code, stderr])).to.deep.equal(ran.map(() => [0, '']));
    expect(await sessionRow(sessionId)).to.include({ generation: 1, endedAt: null });
    expect(await stored('default', 'session', 'refreshToken'))
      .to.be.a('string')
      .and.not.equal(refreshToken);
    expect(Number(await stored('default', 'session', 'expiresAt'))).to.be.greaterThan(Date.now() + 600_000);
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
  });

  it('repeats a refresh whose reply was lost, an hour later too, instead of ending the session', async () => {
    const account = await platform.account();
    const { sessionId, refreshToken } = await signIn(account, { expired: true });
    const { running } = platform;
    const proxy = await replyLosingProxy(running.address);
    await store({ baseUrl: proxy.url, session: await stored('default', 'session') });
    expect((await runSvc(['account', 'get', '--json'], { config })).code).to.not.equal(0);
    await proxy.close();
    expect(proxy.lost()).to.be.greaterThan(0);
    expect(await sessionRow(sessionId)).to.include({ generation: 1, endedAt: null });
    platform.clock.advance(hours(1));
    await running.services.database.run('DELETE FROM svc_idempotency');
    await store({ session: await stored('default', 'session') });
    const { code, stderr } = await runSvc(['account', 'get', '--json'], { config });
    expect(code, stderr).to.equal(0);
    expect(await sessionRow(sessionId)).to.include({ generation: 2, endedAt: null });
    expect(await stored('default', 'session', 'refreshToken'))
      .to.be.a('string')
      .and.not.equal(refreshToken);
  });

  it('takes over the lock of a process that died', async () => {
    const account = await platform.account();
    await signIn(account, { expired: true });
    await writeFile(`${path}.lock`, '999999999');
    const { code, stderr } = await runSvc(['account', 'get', '--json'], { config });
    expect(code, stderr).to.equal(0);
    await stat(`${path}.lock`).then(
      () => expect.fail('the lock was kept'),
      () => undefined,
    );
  });

  it('says how to sign in again once the session has ended', async () => {
    const account = await platform.account();
    const { sessionId } = await signIn(account, { expired: true });
    const ended = { endedAt: platform.clock.now(), endReason: 'revoked' };
    await platform.running.services.database.update(sessions, { id: sessionId }, ended);
    const { code, stderr } = await runSvc(['account', 'get', '--no-json'], { config });
    expect([code, stderr.includes('Sign in again with `svc login`')]).to.deep.equal([3, true]);
  });

  it('logout ends the session on the server', async () => {
    const account = await platform.account();
    const { sessionId } = await signIn(account);
    const { code, stderr } = await runSvc(['logout'], { config });
    expect([code, stderr.includes('Signed out')]).to.deep.equal([0, true]);
    expect(await sessionRow(sessionId)).to.include({ endReason: 'signed_out' });
    expect(await stored('default')).to.deep.equal({ baseUrl: platform.running.address });
  });

  it('svc doctor says who is signed in', async () => {
    const account = await platform.account();
    await signIn(account);
    const doctor = await runSvc(['doctor', '--no-json'], { config });
    expect(doctor.stdout).to.contain(`${account.ownerEmail} is signed in and acts in Acme / Shop`);
  });

  it('keeps the signed-in user of an environment, refreshes their token and forgets them at sign-out', async () => {
    const { keys } = await platform.account();
    const { secret: key, publishable: publishableKey } = keys.live;
    await store({ key, publishableKey });
    const svc = async (...words: string[]): Promise<Record<string, unknown>> => {
      const { code, stdout, stderr } = await runSvc(['auth', ...words, '--json'], { config });
      expect(code, stderr).to.equal(0);
      return resultOf(stdout);
    };
    const { challengeId } = await svc('signin', 'start', '--email', 'ada@example.com');
    const code = await mail.codeTo('ada@example.com');
    await svc('signin', 'verify', '--challenge-id', String(challengeId), '--code', code);
    const first = String(await stored('default', 'user', 'refreshToken'));
    expect(first).to.match(/^svc_rt_/);
    expect((await svc('session', 'mine'))['sessions'])
      .to.be.an('array')
      .with.length(1);
    const user = await stored('default', 'user');
    await store({ key, publishableKey, user: { ...(isRecord(user) ? user : {}), expiresAt: Date.now() } });
    expect((await svc('session', 'mine'))['sessions'])
      .to.be.an('array')
      .with.length(1);
    expect(await stored('default', 'user', 'refreshToken')).not.to.equal(first);
    await svc('session', 'refresh');
    await svc('session', 'signout');
    expect(await stored('default', 'user')).to.equal(undefined);
    const gone = await runSvc(['auth', 'session', 'mine'], { config });
    expect(gone.code).to.equal(2);
  });

  describe('and refreshes the tokens of a user with svc auth session refresh', () => {
    const refresh = ['auth', 'session', 'refresh', '--json'];
    const mine = ['auth', 'session', 'mine', '--json'];
    /** A profile with keys and a user, as `svc auth signin verify` leaves it. */
    const userProfile = async () => {
      const { keys, live } = await platform.account();
      const { sessionId, accessToken, refreshToken } = await signedIn(platform, live);
      const { secret: key, publishable: publishableKey } = keys.live;
      const refreshKey = `refresh-${sessionId}`;
      const user = { accessToken, refreshToken, refreshKey, expiresAt: Date.now() + 900_000 };
      return { sessionId, profile: { key, publishableKey, user } };
    };

    it('continues the session after a lost reply', async () => {
      const { sessionId, profile } = await userProfile();
      const proxy = await replyLosingProxy(platform.running.address);
      await store({ ...profile, baseUrl: proxy.url });
      expect((await runSvc(refresh, { config })).code).to.equal(1);
      await proxy.close();
      expect(proxy.lost()).to.equal(1);
      await store({ ...profile, user: { ...profile.user, expiresAt: Date.now() } });
      const { code, stderr } = await runSvc(mine, { config });
      expect(code, stderr).to.equal(0);
      expect(await sessionRow(sessionId)).to.include({ generation: 1, endedAt: null });
    });

    it('one command after the other, and takes no key of its own', async () => {
      const { sessionId, profile } = await userProfile();
      await store(profile);
      const ran = await Promise.all([refresh, refresh, refresh].map((words) => runSvc(words, { config })));
      expect(ran.map(({ code, stderr }) => [code, stderr])).to.deep.equal(ran.map(() => [0, '']));
      expect(await sessionRow(sessionId)).to.include({ generation: 3, endedAt: null });
      expect((await runSvc(mine, { config })).code).to.equal(0);
      const { code, stderr } = await runSvc([...refresh, '--idempotency-key', 'k'.repeat(40)], { config });
      expect([code, stderr.includes('Leave out --idempotency-key')]).to.deep.equal([2, true]);
      expect(await sessionRow(sessionId)).to.include({ generation: 3 });
    });
  });

  it('says why a refresh was refused, and to sign in again only if the session has ended', async () => {
    const account = await platform.account();
    await signIn(account, { expired: true });
    const error = {
      code: 'idempotency_in_progress',
      message: 'The call is running.',
      fix: 'Repeat it.',
      requestId: '',
    };
    const server = await startHttpFake((_request, response) => {
      response.writeHead(409, { 'Content-Type': 'application/json' }).end(JSON.stringify({ error }));
    });
    await store({ baseUrl: server.url, session: await stored('default', 'session') });
    const { code, stderr } = await runSvc(['account', 'get', '--no-json'], { config });
    await server.close();
    expect([code, stderr]).to.deep.equal([5, 'idempotency_in_progress: The call is running.\nfix: Repeat it.\n']);
  });

  it('serves MCP over standard input and output as the member', async () => {
    const account = await platform.account();
    await signIn(account, { expired: true });
    const { program, args, env } = svcCommand(['mcp'], { config });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransport({ command: program, args, env }));
    try {
      const current = { operation: 'developers.key.current', input: {} };
      const answer = await client.callTool({ name: 'call_operation', arguments: current });
      expect(JSON.stringify(answer.structuredContent)).to.contain(account.ownerEmail).and.contain(account.test.id);
    } finally {
      await client.close();
    }
  });
});

/** A proxy that passes calls on and drops the replies. */
async function replyLosingProxy(address: string) {
  let lost = 0;
  const proxy = await startHttpFake(async ({ path, headers, body }, response) => {
    const { authorization = '', 'idempotency-key': key = '' } = headers;
    const { status } = await fetch(`${address}${path}`, {
      method: 'POST',
      body,
      headers: { Authorization: authorization, 'Content-Type': 'application/json', 'Idempotency-Key': String(key) },
    });
    if (status === 200) lost += 1;
    response.destroy();
  });
  return { ...proxy, lost: () => lost };
}
