import { expect } from 'chai';
import { defineOperation } from '#core/kernel/operation.js';
import { list, object, optional, text } from '#core/kernel/schema/schema.js';
import { findEnvironment } from '#core/kernel/environment/environment.js';
import { newId } from '#core/runtime/id.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import type { Api, CallOptions, RawAnswer } from '#test/support/api.js';
import { usePlatform } from '#test/support/platform.js';
import { testAuth } from './support/auth.js';
import { codeOf, createThings, newKey, replayed } from './support/lab.js';

let calls = 0;
const counted = async (): Promise<{ call: string }> => ({ call: `call ${++calls}` });

const facts = {
  summary: 'Count the calls.',
  output: object({ call: text() }),
  handle: counted,
};
const tags = optional(list(text()));
const secret = defineOperation({
  ...facts,
  name: 'lab.secret.count',
  access: 'secret',
  permission: null,
  input: object({ name: text(), tags }),
  example: { input: { name: 'a' }, output: { call: 'call 1' } },
});
const other = defineOperation({ ...secret, name: 'lab.secret.other' });
const brief = defineOperation({ ...secret, name: 'lab.secret.brief', replaySeconds: 30 });
const reading = defineOperation({
  ...facts,
  name: 'lab.secret.read',
  access: 'secret',
  impact: { read: true },
  input: object({ name: text() }),
  example: { input: { name: 'a' }, output: { call: 'call 1' } },
});
const user = defineOperation({
  ...facts,
  name: 'lab.user.count',
  access: 'user',
  input: object({ accessToken: text() }),
  example: { input: { accessToken: 't' }, output: { call: 'call 1' } },
});

const open = defineOperation({
  ...facts,
  name: 'lab.public.count',
  access: 'public',
  input: object({ token: optional(text()), environmentId: text() }),
  example: { input: { environmentId: 'e' }, output: { call: 'call 1' } },
  async handle({ environmentId }, { db, actIn }) {
    const environment = await findEnvironment(db, environmentId);
    if (environment) actIn(environment);
    return counted();
  },
});

describe('Idempotency-Key: scope', () => {
  const auth = testAuth(() => platform.clock.now());
  const platform = usePlatform({ plugins: [auth.plugin(secret, other, brief, reading, user, open)] });
  before(() => createThings(platform));

  const post = (api: Api, path: string, input: unknown, options: CallOptions): Promise<RawAnswer> =>
    api.raw(path, typeof input === 'string' ? input : JSON.stringify(input), options);

  it('refuses the same key with other input', async () => {
    const { svc } = await platform.account();
    const idempotencyKey = newKey();
    await post(svc, '/lab/secret/count', { name: 'a' }, { idempotencyKey });
    const second = await post(svc, '/lab/secret/count', { name: 'b' }, { idempotencyKey });
    expect([second.status, codeOf(second)]).to.deep.equal([409, 'idempotency_mismatch']);
  });

  it('says how long the key stays in use', async () => {
    const { svc } = await platform.account();
    for (const [path, span] of [
      ['/lab/secret/count', '24 hours'],
      ['/lab/secret/brief', '30 seconds'],
    ] as const) {
      const idempotencyKey = newKey();
      await post(svc, path, { name: 'a' }, { idempotencyKey });
      const { text } = await post(svc, path, { name: 'b' }, { idempotencyKey });
      expect(text).to.contain(`with different input in the last ${span}.`);
    }
  });

  it('refuses the same key for another operation', async () => {
    const { svc } = await platform.account();
    const idempotencyKey = newKey();
    await post(svc, '/lab/secret/count', { name: 'a' }, { idempotencyKey });
    const second = await post(svc, '/lab/secret/other', { name: 'a' }, { idempotencyKey });
    expect(codeOf(second)).to.equal('idempotency_mismatch');
  });

  it('treats two spellings of one input as the same', async () => {
    const { svc } = await platform.account();
    const idempotencyKey = newKey();
    const first = await post(svc, '/lab/secret/count', '{"name":"a","tags":["x","y"]}', { idempotencyKey });
    const spelt = '{ "tags": ["x", "y"],\n "name": "\\u0061" }';
    expect((await post(svc, '/lab/secret/count', spelt, { idempotencyKey })).text).to.equal(first.text);
    const turned = await post(svc, '/lab/secret/count', '{"name":"a","tags":["y","x"]}', { idempotencyKey });
    expect(codeOf(turned)).to.equal('idempotency_mismatch');
  });

  it('keeps another key of the same environment, and the twin environment, apart', async () => {
    const { svc, svcTest } = await platform.account();
    const idempotencyKey = newKey();
    const other = await svc.call('developers.key.create', { name: 'Other', permissions: ['account:read'] });
    const live = await post(svc, '/lab/secret/count', { name: 'a' }, { idempotencyKey });
    const second = await post(svc, '/lab/secret/count', { name: 'a' }, { idempotencyKey, key: other.plaintext });
    const test = await post(svcTest, '/lab/secret/count', { name: 'a' }, { idempotencyKey });
    const answers = [live, second, test];
    expect(answers.map((answer) => [answer.status, replayed(answer)])).to.deep.equal(answers.map(() => [200, false]));
    expect(new Set(answers.map((answer) => answer.text)).size).to.equal(3);
  });

  it('gives a rotated key’s successor the answer of its ancestor', async () => {
    const { svc } = await platform.account();
    const { key } = await svc.call('developers.key.current', {});
    const idempotencyKey = newKey();
    const first = await post(svc, '/lab/secret/count', { name: 'a' }, { idempotencyKey });
    const child = await svc.call('developers.key.rotate', { keyId: key?.id ?? '' });
    const repeat = await post(svc, '/lab/secret/count', { name: 'a' }, { idempotencyKey, key: child.plaintext });
    expect([repeat.text, replayed(repeat)]).to.deep.equal([first.text, true]);
    const grandchild = await svc.call('developers.key.rotate', { keyId: child.key.id }, { key: child.plaintext });
    const last = await post(svc, '/lab/secret/count', { name: 'a' }, { idempotencyKey, key: grandchild.plaintext });
    expect(last.text).to.equal(first.text);
  });

  it('checks the permission before it replays', async () => {
    const { svc } = await platform.account();
    const made = await svc.call('developers.key.create', { name: 'Weakened', permissions: ['developers:write'] });
    const input = { name: 'Made by it', permissions: ['developers:write'] };
    const options = { key: made.plaintext, idempotencyKey: newKey() };
    expect((await post(svc, '/developers/key/create', input, options)).status).to.equal(200);
    await svc.call('developers.key.update', { keyId: made.key.id, permissions: ['account:read'] });
    const refused = await post(svc, '/developers/key/create', input, options);
    expect([refused.status, codeOf(refused)]).to.deep.equal([403, 'permission_required']);
  });

  it('gives each session of one publishable key keys of its own, which stay through refreshes', async () => {
    const { svc, keys, live } = await platform.account();
    const options = { key: keys.live.publishable, idempotencyKey: newKey() };
    const userId = newId();
    const [one, two] = [auth.signIn(live, { userId }), auth.signIn(live, { userId })];
    const first = await post(svc, '/lab/user/count', { accessToken: one }, options);
    const other = await post(svc, '/lab/user/count', { accessToken: two }, options);
    expect([other.status, replayed(other), other.text === first.text]).to.deep.equal([200, false, false]);
    const repeat = await post(svc, '/lab/user/count', { accessToken: auth.refresh(one) }, options);
    expect([repeat.text, replayed(repeat)]).to.deep.equal([first.text, true]);
  });

  it('keeps the user and whoever impersonates them apart, in one session', async () => {
    const { svc, keys, live, memberId } = await platform.account();
    const options = { key: keys.live.publishable, idempotencyKey: newKey() };
    const session = { userId: newId(), sessionFamilyId: newId() };
    const own = auth.signIn(live, session);
    const impersonated = auth.signIn(live, { ...session, impersonator: { memberId, label: 'Owner' } });
    const first = await post(svc, '/lab/user/count', { accessToken: own }, options);
    const second = await post(svc, '/lab/user/count', { accessToken: impersonated }, options);
    expect([second.status, replayed(second), second.text === first.text]).to.deep.equal([200, false, false]);
  });

  it('replays nothing to a session that has ended', async () => {
    const { svc, keys, live } = await platform.account();
    const options = { key: keys.live.publishable, idempotencyKey: newKey() };
    const accessToken = auth.signIn(live);
    await post(svc, '/lab/user/count', { accessToken }, options);
    auth.signOut(accessToken);
    expect(codeOf(await post(svc, '/lab/user/count', { accessToken }, options))).to.equal('token_invalid');
  });

  it('of a public operation is whoever knows it, with the token of the input where there is one', async () => {
    const { live } = await platform.account();
    const idempotencyKey = newKey();
    const ask = (token: string | undefined, ip: string) =>
      post(
        platform.api,
        '/lab/public/count',
        { token, environmentId: live.id },
        { idempotencyKey, headers: { 'X-Forwarded-For': ip } },
      );
    const first = await ask('one', '203.0.113.7');
    expect((await ask('one', '203.0.113.8')).text).to.equal(first.text);
    const other = await ask('two', '203.0.113.7');
    expect([other.status, replayed(other)]).to.deep.equal([200, false]);
    const none = await ask(undefined, '203.0.113.7');
    expect([none.status, replayed(none)]).to.deep.equal([200, false]);
  });

  it('of a public operation leaves no digest in the database that a guess could be checked against', async () => {
    const { live } = await platform.account();
    const idempotencyKey = newKey();
    await post(platform.api, '/lab/public/count', { token: 'one', environmentId: live.id }, { idempotencyKey });
    const rows = await platform.running.services.database.rows<{ id: Buffer; fingerprint: Buffer }>(
      'SELECT id, fingerprint FROM svc_idempotency',
    );
    const stored = rows.flatMap(({ id, fingerprint }) => [id.toString('hex'), fingerprint.toString('hex')]);
    const input = JSON.stringify({ environmentId: live.id, token: 'one' });
    for (const guess of [`lab.public.count|one|${idempotencyKey}`, `lab.public.count|${input}`])
      expect(stored).to.not.include(sha256(guess).toString('hex'));
  });

  it('has no effect on an operation that only reads', async () => {
    const { svc } = await platform.account();
    const idempotencyKey = newKey();
    const first = await post(svc, '/lab/secret/read', { name: 'a' }, { idempotencyKey });
    const second = await post(svc, '/lab/secret/read', { name: 'b' }, { idempotencyKey });
    expect([second.status, replayed(second), second.text === first.text]).to.deep.equal([200, false, false]);
  });

  for (const [what, header] of [
    ['empty', ''],
    ['of 256 characters', 'k'.repeat(256)],
    ['with a blank inside', 'a b'],
    ['beyond ASCII', 'clé'],
  ] as const) {
    it(`refuses a key that is ${what}`, async () => {
      const { svc } = await platform.account();
      const refused = await svc.refusal('lab.secret.count', { name: 'a' }, { idempotencyKey: header });
      expect(refused).to.include({ status: 400, code: 'invalid_input' });
      expect(refused.details).to.deep.equal({ field: 'Idempotency-Key' });
    });
  }

  it('takes any 255 visible ASCII characters', async () => {
    const { svc } = await platform.account();
    const visible = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).join('');
    const idempotencyKey = visible.padEnd(255, '~');
    const first = await post(svc, '/lab/secret/count', { name: 'a' }, { idempotencyKey });
    expect((await post(svc, '/lab/secret/count', { name: 'a' }, { idempotencyKey })).text).to.equal(first.text);
  });
});
