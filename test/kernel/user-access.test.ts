import { expect } from 'chai';
import { perUser } from '#core/kernel/limits/named-limit.js';
import { defineOperation, type Needs } from '#core/kernel/operation.js';
import { nullable, object, optional, text } from '#core/kernel/schema/schema.js';
import { idBytes, newId } from '#core/runtime/id.js';
import { minutes, seconds } from '#test/support/clock.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { testAuth } from './support/auth.js';
import { codeOf, partOf } from './support/lab.js';

const output = object({ email: nullable(text()) });
const example = { input: { accessToken: 't' }, output: { email: 'ada@example.com' } };

const note = defineOperation({
  name: 'lab.note.write',
  summary: 'Write as the signed-in user.',
  access: 'user',
  limits: [perUser({ name: 'lab.note', max: 3, windowSeconds: 600, description: '3 per user in 10 minutes' })],
  input: object({ accessToken: text(), words: optional(text()) }),
  output,
  example,
  async handle(_, { caller, audit }) {
    audit({ summary: 'Wrote a note.' });
    return { email: caller.user.email };
  },
});
const read = defineOperation({
  name: 'lab.note.read',
  summary: 'Read as the signed-in user.',
  access: 'user',
  impact: { read: true },
  input: object({ accessToken: text() }),
  output,
  example,
  handle: async (_, { caller }) => ({ email: caller.user.email }),
});
const greet = defineOperation({
  name: 'lab.guest.greet',
  summary: 'Greet a guest, or the user who is signed in.',
  access: 'publishable',
  impact: { read: true },
  input: object({ accessToken: optional(text()) }),
  output,
  example: { input: {}, output: { email: null } },
  handle: async (_, { caller }) => ({ email: caller.user?.email ?? null }),
});
const needing = (name: string, needs: Needs) => defineOperation({ ...read, name, needs });

describe('Operations of signed-in users', () => {
  const auth = testAuth(() => platform.clock.now());
  const platform = usePlatform({
    plugins: [
      auth.plugin(
        note,
        read,
        greet,
        needing('lab.gate.recent', { recentSignIn: true }),
        needing('lab.gate.factor', { secondFactor: true }),
        needing('lab.gate.active', { secondFactorIfActive: true }),
        needing('lab.gate.own', { notImpersonated: true }),
        needing('lab.gate.all', { recentSignIn: true, secondFactor: true, notImpersonated: true }),
      ),
    ],
  });

  const call = (account: TestAccount, path: string, input: object) =>
    platform.api.raw(path, JSON.stringify(input), { key: account.keys.live.publishable });
  const code = async (account: TestAccount, path: string, input: object): Promise<unknown> => {
    const answer = await call(account, path, input);
    return answer.status === 200 ? 200 : codeOf(answer);
  };
  const actor = async (activityId: string) => {
    const [row] = await platform.running.services.database.rows<{ kind: Buffer; id: Buffer; label: string }>(
      'SELECT actor_kind AS kind, actor_id AS id, actor_label AS label FROM svc_activity WHERE id = ?',
      [idBytes(activityId)],
    );
    return row && { kind: row.kind.toString(), id: row.id.toString(), label: row.label };
  };
  const activityOf = (text: string): string => String(Reflect.get(Object(JSON.parse(text)), 'activityId'));

  it('know the user behind the access token, and their audit record names them', async () => {
    const account = await platform.account();
    const userId = newId();
    const answer = await call(account, '/lab/note/write', { accessToken: auth.signIn(account.live, { userId }) });
    expect(partOf(answer.text, 'result')).to.deep.equal({ email: 'ada@example.com' });
    expect(await actor(activityOf(answer.text))).to.deep.equal({ kind: 'user', id: userId, label: 'ada@example.com' });
  });

  it('name the impersonator beside the user', async () => {
    const account = await platform.account();
    const userId = newId();
    const impersonator = { memberId: account.memberId, label: account.ownerEmail };
    const accessToken = auth.signIn(account.live, { userId, impersonator });
    const answer = await call(account, '/lab/note/write', { accessToken });
    expect(await actor(activityOf(answer.text))).to.deep.equal({
      kind: 'user',
      id: userId,
      label: `ada@example.com, impersonated by ${account.ownerEmail}`,
    });
  });

  it('refuse a token that is unknown, signed out, or another environment’s: all alike', async () => {
    const account = await platform.account();
    const elsewhere = auth.signIn(account.test);
    const ended = auth.signIn(account.live);
    auth.signOut(ended);
    for (const path of ['/lab/note/write', '/lab/note/read', '/lab/guest/greet'])
      for (const accessToken of ['no-such-token', elsewhere, ended])
        expect([path, await code(account, path, { accessToken })]).to.deep.equal([path, 'token_invalid']);
  });

  it('check the input before they look for the user', async () => {
    const account = await platform.account();
    expect(await code(account, '/lab/note/write', {})).to.equal('invalid_input');
    expect(await code(account, '/lab/note/write', { accessToken: 'no-such-token', more: 1 })).to.equal('invalid_input');
  });

  it('refuse a banned user', async () => {
    const account = await platform.account();
    const userId = newId();
    const accessToken = auth.signIn(account.live, { userId });
    auth.ban(userId);
    expect(await code(account, '/lab/note/write', { accessToken })).to.equal('user_banned');
  });

  it('need a publishable key as well', async () => {
    const account = await platform.account();
    const input = JSON.stringify({ accessToken: auth.signIn(account.live) });
    expect(codeOf(await account.svc.raw('/lab/note/write', input))).to.equal('publishable_key_required');
    expect(codeOf(await platform.api.raw('/lab/note/write', input))).to.equal('unauthenticated');
  });

  it('of publishable access take a token where the input has one, and none otherwise', async () => {
    const account = await platform.account();
    expect(partOf((await call(account, '/lab/guest/greet', {})).text, 'result')).to.deep.equal({ email: null });
    const accessToken = auth.signIn(account.live);
    const greeted = await call(account, '/lab/guest/greet', { accessToken });
    expect(partOf(greeted.text, 'result')).to.deep.equal({ email: 'ada@example.com' });
  });

  it('count their limit per user, whichever session calls, and count no call without a user', async () => {
    const account = await platform.account();
    const userId = newId();
    const sessions = [auth.signIn(account.live, { userId }), auth.signIn(account.live, { userId })];
    for (let at = 0; at < 4; at += 1) await code(account, '/lab/note/write', { accessToken: 'no-such-token' });
    const codes = [];
    for (let at = 0; at < 4; at += 1)
      codes.push(await code(account, '/lab/note/write', { accessToken: sessions[at % 2] }));
    expect(codes).to.deep.equal([200, 200, 200, 'rate_limited']);
    expect(await code(account, '/lab/note/write', { accessToken: auth.signIn(account.live) })).to.equal(200);
  });

  it('that need a recent sign-in take one of the last 10 minutes', async () => {
    const account = await platform.account();
    const accessToken = auth.signIn(account.live);
    expect(await code(account, '/lab/gate/recent', { accessToken })).to.equal(200);
    platform.clock.advance(minutes(10) - seconds(1));
    expect(await code(account, '/lab/gate/recent', { accessToken })).to.equal(200);
    platform.clock.advance(seconds(1));
    const refused = await call(account, '/lab/gate/recent', { accessToken });
    expect([refused.status, codeOf(refused)]).to.deep.equal([403, 'reauth_required']);
    expect(partOf(refused.text, 'error')['fix']).to.contain('call lab.gate.recent within 10 minutes');
    expect(await code(account, '/lab/gate/recent', { accessToken: auth.signIn(account.live) })).to.equal(200);
  });

  it('that need a second factor take no session without one', async () => {
    const account = await platform.account();
    const one = auth.signIn(account.live);
    const two = auth.signIn(account.live, { secondFactor: true });
    expect(await code(account, '/lab/gate/factor', { accessToken: one })).to.equal('mfa_required');
    expect(await code(account, '/lab/gate/factor', { accessToken: two })).to.equal(200);
  });

  it('that need a second factor if one is active take a session without one until then', async () => {
    const account = await platform.account();
    const none = auth.signIn(account.live);
    const lacking = auth.signIn(account.live, { lacksActiveFactor: true });
    const two = auth.signIn(account.live, { secondFactor: true });
    expect(await code(account, '/lab/gate/active', { accessToken: none })).to.equal(200);
    expect(await code(account, '/lab/gate/active', { accessToken: lacking })).to.equal('mfa_required');
    expect(await code(account, '/lab/gate/active', { accessToken: two })).to.equal(200);
  });

  it('that need the user themself take no impersonated session', async () => {
    const account = await platform.account();
    const impersonator = { memberId: account.memberId, label: account.ownerEmail };
    const impersonated = auth.signIn(account.live, { impersonator, secondFactor: true });
    for (const path of ['/lab/gate/own', '/lab/gate/all'])
      expect(await code(account, path, { accessToken: impersonated })).to.equal('impersonation_forbidden');
    expect(await code(account, '/lab/gate/own', { accessToken: auth.signIn(account.live) })).to.equal(200);
  });

  it('state what they can refuse with in their description', () => {
    const { catalogue } = platform.running.services;
    const codes = (name: string): string[] => {
      const found = catalogue.operations.get(name);
      return found ? catalogue.codesOf(found) : [];
    };
    expect(codes('lab.note.read')).to.include.members(['token_invalid', 'user_banned']);
    expect(codes('lab.guest.greet')).to.include('token_invalid');
    expect(codes('lab.gate.all')).to.include.members(['reauth_required', 'mfa_required', 'impersonation_forbidden']);
    expect(codes('lab.note.read')).to.not.include.members(['reauth_required']);
  });
});
