import { expect } from 'chai';
import type { Access } from '#core/kernel/operation.js';
import { defineOperation, type Operation } from '#core/kernel/operation.js';
import { object, optional, text } from '#core/kernel/schema/schema.js';
import { idBytes } from '#core/runtime/id.js';
import { usePlatform } from '#test/support/platform.js';
import { codeOf, lab, partOf } from './support/lab.js';

const facts = (name: string, access: Access): Operation =>
  defineOperation({
    name,
    summary: 'Say who calls.',
    access,
    input: object({ accessToken: optional(text()), note: optional(text()) }),
    output: object({ who: text() }),
    example: { input: {}, output: { who: 'key' } },
    async handle(_, { caller, actIn }) {
      if (caller.kind === 'public') actIn(acting.environment);
      return { who: caller.kind };
    },
  });

const acting = {
  environment: {
    id: '01890a5d-ac96-774b-bcce-b302099a8001',
    projectId: '01890a5d-ac96-774b-bcce-b302099a8001',
    accountId: '01890a5d-ac96-774b-bcce-b302099a8001',
    kind: 'test',
    closedAt: null,
    archivedAt: null,
    operator: false,
  },
} as const;

describe('Who may call an operation', () => {
  const platform = usePlatform({
    plugins: [
      lab(
        facts('lab.access.secret', 'secret'),
        facts('lab.access.publishable', 'publishable'),
        facts('lab.access.user', 'user'),
        facts('lab.access.public', 'public'),
        facts('lab.access.operator', 'operator'),
      ),
    ],
  });

  /** What each kind of access answers this key. */
  async function answers(key: string): Promise<Record<string, unknown>> {
    const all = ['secret', 'publishable', 'user', 'public', 'operator'].map(async (access) => {
      const answer = await platform.api.raw(`/lab/access/${access}`, '{}', { key });
      return [access, answer.status === 200 ? partOf(answer.text, 'result')['who'] : codeOf(answer)] as const;
    });
    return Object.fromEntries(await Promise.all(all));
  }

  it('is decided by the kind of the key', async () => {
    const { keys } = await platform.account();
    expect(await answers(keys.live.secret)).to.deep.equal({
      secret: 'key',
      publishable: 'publishable_key_required',
      user: 'publishable_key_required',
      public: 'public',
      operator: 'operator_only',
    });
    expect(await answers(keys.live.publishable)).to.deep.equal({
      secret: 'secret_key_required',
      publishable: 'key',
      user: 'token_invalid',
      public: 'public',
      operator: 'secret_key_required',
    });
  });

  it('refuses every bearer that is not a valid key in the same way', async () => {
    const unknown = `svc_live_${'A'.repeat(43)}`;
    for (const key of [
      '',
      'x',
      unknown,
      `svc_live_pk${'A'.repeat(40)}`,
      `svc_live_${'A'.repeat(42)}!`,
      `Bearer ${unknown}`,
    ]) {
      expect(await answers(key)).to.deep.equal({
        secret: 'unauthenticated',
        publishable: 'unauthenticated',
        user: 'unauthenticated',
        public: 'public',
        operator: 'unauthenticated',
      });
    }
  });

  for (const header of ['Basic c3ZjOnN2Yw==', 'Bearer', 'Bearer a b', 'Token abc']) {
    it(`takes the header "${header}" for no key`, async () => {
      const refused = await platform.api.raw('/lab/access/secret', '{}', { headers: { Authorization: header } });
      expect([refused.status, codeOf(refused)]).to.deep.equal([401, 'unauthenticated']);
      expect(partOf(refused.text, 'error')['message']).to.contain('the Authorization header holds no Bearer token');
    });
  }

  it('takes only the first account’s live key with an owner’s role for the operator', async () => {
    const { keys, live, test } = await platform.account();
    const { database } = platform.running.services;
    const operate = async (environmentId: string): Promise<unknown> =>
      database.run('UPDATE svc_environment SET operator = 1 WHERE id = ?', [idBytes(environmentId)]);
    await operate(live.id);
    await operate(test.id);
    expect(await answers(keys.live.secret)).to.include({ operator: 'key' });
    expect(await answers(keys.test.secret)).to.include({ operator: 'operator_only' });
    await database.run("UPDATE developers_key SET role = 'admin' WHERE environment_id = ?", [idBytes(live.id)]);
    expect(await answers(keys.live.secret)).to.include({ operator: 'operator_only', secret: 'key' });
  });

  it('names the missing permission', async () => {
    const { svc } = await platform.account();
    const { plaintext } = await svc.call('developers.key.create', { name: 'Mail', permissions: ['account:read'] });
    const refused = await platform.api.refusal('lab.access.secret', {}, { key: plaintext });
    expect(refused).to.include({ status: 403, code: 'permission_required' });
    expect(refused.message).to.contain('lab:write');
    expect(refused.fix).to.contain('lab:write');
  });

  it('limits a key to its creator’s role, whatever permissions it has', async () => {
    const { svc, live } = await platform.account();
    const { database } = platform.running.services;
    await database.run("UPDATE developers_key SET role = 'viewer' WHERE environment_id = ?", [idBytes(live.id)]);
    const { permissions } = await svc.call('developers.key.current', {});
    expect(permissions).to.include('developers:read').and.not.include('developers:write');
    const refused = await svc.refusal('developers.key.create', { name: 'A', permissions: ['account:read'] });
    expect(refused).to.include({ code: 'permission_required' });
    await database.run("UPDATE developers_key SET role = 'developer' WHERE environment_id = ?", [idBytes(live.id)]);
    const { permissions: more } = await svc.call('developers.key.current', {});
    expect(more).to.include('developers:write').and.not.include('account:write');
  });

  it('checks the credentials before the input', async () => {
    const { svc } = await platform.account();
    const { plaintext } = await svc.call('developers.key.create', { name: 'Mail', permissions: ['account:read'] });
    expect((await platform.api.refusal('lab.access.secret', { unknown: 1 })).code).to.equal('unauthenticated');
    const weak = await platform.api.refusal('lab.access.secret', { unknown: 1 }, { key: plaintext });
    expect(weak.code).to.equal('permission_required');
    expect((await svc.refusal('lab.access.secret', { unknown: 1 })).code).to.equal('invalid_input');
  });
});
