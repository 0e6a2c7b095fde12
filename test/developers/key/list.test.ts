import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { skipOnVitess } from '#test/support/vitess.js';

describe('developers.key.list', () => {
  const platform = usePlatform();

  it('lists the environment’s own keys, newest first, page by page', async () => {
    const { svc, svcTest } = await platform.account();
    const names = Array.from({ length: 7 }, (_, index) => `Key ${index}`);
    for (const name of names) await svc.call('developers.key.create', { name, kind: 'publishable' });
    await svcTest.call('developers.key.create', { name: 'Elsewhere', kind: 'publishable' });
    const seen: string[] = [];
    for (let before: string | null | undefined; before !== null;) {
      const page = await svc.call('developers.key.list', { limit: 4, ...(before === undefined ? {} : { before }) });
      expect(page.keys.length).to.be.at.most(4);
      seen.push(...page.keys.map(({ name }) => name));
      before = page.nextBefore;
    }
    expect(seen).to.deep.equal([...names.reverse(), 'First publishable key', 'First key']);
  });

  it('pages without gap or repeat while other keys are created', async () => {
    const { svc } = await platform.account();
    for (let index = 0; index < 4; index += 1)
      await svc.call('developers.key.create', { name: 'A', kind: 'publishable' });
    const first = await svc.call('developers.key.list', { limit: 3 });
    await svc.call('developers.key.create', { name: 'New', kind: 'publishable' });
    const second = await svc.call('developers.key.list', { limit: 3, before: first.nextBefore ?? '' });
    const ids = [...first.keys, ...second.keys].map(({ id }) => id);
    expect([ids.length, new Set(ids).size, second.nextBefore]).to.deep.equal([6, 6, null]);
  });

  it('lists revoked keys only on request', async () => {
    const { svc } = await platform.account();
    const { key } = await svc.call('developers.key.create', { name: 'Gone', kind: 'publishable' });
    await svc.call('developers.key.revoke', { keyId: key.id });
    expect((await svc.call('developers.key.list', {})).keys.map(({ id }) => id)).to.not.include(key.id);
    const all = await svc.call('developers.key.list', { revoked: true });
    expect(all.keys.find(({ id }) => id === key.id)?.revokedAt).to.be.a('string');
  });

  it('shows no plaintext and no hash in any field', async () => {
    const { svc, keys } = await platform.account();
    const { text } = await svc.raw('/developers/key/list', '{}');
    for (const shown of [keys.live.secret, keys.live.publishable]) expect(text).to.not.contain(shown.slice(-30));
    const page = await svc.call('developers.key.list', {});
    expect(Object.keys(page.keys[0] ?? {})).to.deep.equal([
      'id',
      'name',
      'kind',
      'prefix',
      'permissions',
      'environmentId',
      'allowedOrigins',
      'createdBy',
      'createdAt',
      'updatedAt',
      'lastUsedAt',
      'revokedAt',
    ]);
  });

  it('shows when a key was last used, without a write per request', async function () {
    skipOnVitess(this, 'triggers');
    const { svc, live } = await platform.account();
    const { database } = platform.running.services;
    await database.run('CREATE TABLE IF NOT EXISTS lab_writes (n INT NOT NULL)');
    await database.run(
      `CREATE TRIGGER lab_count AFTER UPDATE ON developers_key FOR EACH ROW
         INSERT INTO lab_writes SELECT 1 FROM DUAL WHERE NEW.environment_id = UNHEX('${live.id.replaceAll('-', '')}')`,
    );
    for (let call = 0; call < 30; call += 1) await svc.call('account.get', {});
    const used = platform.clock.now();
    // Last uses are written every few seconds, and when the server stops.
    await platform.restart();
    expect(await platform.count('lab_writes')).to.be.at.most(2);
    await platform.running.services.database.run('DROP TRIGGER lab_count');
    const { keys } = await svc.call('developers.key.list', {});
    expect(keys.map(({ name, lastUsedAt }) => [name, lastUsedAt])).to.deep.equal([
      ['First publishable key', null],
      ['First key', used.toISOString()],
    ]);
    expect(await platform.events(live)).to.deep.equal([]);
  });

  for (const [field, input] of [
    ['before', { before: 'yesterday' }],
    ['limit', { limit: 0 }],
    ['limit', { limit: 101 }],
    ['revoked', { revoked: 'yes' }],
  ] as const) {
    it(`refuses a ${field} of ${JSON.stringify(input)}`, async () => {
      const { svc } = await platform.account();
      const refused = await svc.refusal('developers.key.list', input);
      expect(refused).to.include({ code: 'invalid_input' });
      expect(refused.details).to.deep.equal({ field });
    });
  }

  it('writes no audit record and returns no activityId', async () => {
    const { svc } = await platform.account();
    const before = await platform.count('svc_activity');
    expect((await svc.envelope('developers.key.list', {})).activityId).to.equal('');
    expect(await platform.count('svc_activity')).to.equal(before);
  });
});
