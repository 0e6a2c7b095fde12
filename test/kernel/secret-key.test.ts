import { expect } from 'chai';
import { newRootKey, parseRootKey } from '#core/runtime/secrets/root-key.js';
import { createVault } from '#core/runtime/secrets/vault.js';
import type { Api } from '#test/support/api.js';
import { usePlatform } from '#test/support/platform.js';

// StartError: the start prints no stack.
const wrongKey = /^StartError: SVC_SECRET_KEY is not the key of this database.*\n.*SVC_SECRET_KEY_PREVIOUS/;

describe('SVC_SECRET_KEY', () => {
  const platform = usePlatform();
  const startsWith = (keys: Record<string, string>): Promise<string> =>
    platform.secondNode(keys).then(
      () => 'started',
      (error: unknown) => String(error),
    );
  const database = () => platform.running.services.database;
  const sealedKey = async (): Promise<Buffer | null | undefined> => {
    const [row] = await database().rows<{ sealed: Buffer | null }>('SELECT sealed_key AS sealed FROM svc_root_key');
    return row?.sealed;
  };

  it('stops the start where it is not the database’s, and names the setting and the fix', async () => {
    expect(await startsWith({ SVC_SECRET_KEY: newRootKey() })).to.match(wrongKey);
    const both = { SVC_SECRET_KEY: newRootKey(), SVC_SECRET_KEY_PREVIOUS: newRootKey() };
    expect(await startsWith(both)).to.match(wrongKey);
    expect(await startsWith({ SVC_SECRET_KEY: platform.secretKey })).to.equal('started');
  });

  it('is checked before anything is migrated or written', async () => {
    const recorded = () => platform.count('svc_migration');
    const found = await recorded();
    // As in a database that this version has not upgraded yet.
    await database().run("DELETE FROM svc_migration WHERE owner = 'core' AND name = '0012_deferred_erasures'");
    await database().run('DROP TABLE svc_erasure_deferred');
    expect(await startsWith({ SVC_SECRET_KEY: newRootKey() })).to.match(wrongKey);
    expect(await recorded()).to.equal(found - 1);
    expect(await startsWith({ SVC_SECRET_KEY: platform.secretKey })).to.equal('started');
    expect(await recorded()).to.equal(found);
  });

  it('opens nothing where the database’s row was lost: no other one takes its place', async () => {
    await database().run('CREATE TABLE kept AS SELECT * FROM svc_root_key');
    await database().run('DELETE FROM svc_root_key');
    const refused = await startsWith({ SVC_SECRET_KEY: platform.secretKey });
    expect(refused).to.match(/^StartError: The database has accounts, and its table svc_root_key is empty/);
    expect(refused).to.contain('Restore the row of svc_root_key');
    expect(await platform.count('svc_root_key')).to.equal(0);
    await database().run('INSERT INTO svc_root_key SELECT * FROM kept');
    await database().run('DROP TABLE kept');
    expect(await startsWith({ SVC_SECRET_KEY: platform.secretKey })).to.equal('started');
  });

  it('is changed with SVC_SECRET_KEY_PREVIOUS: earlier values can be read, and the old key decrypts nothing any more', async () => {
    const { svc, keys } = await platform.account();
    const kept = await sealedKey();
    // The stored answer shows a key, and is sealed.
    const create = (api: Api) =>
      api.call('developers.key.create', { name: 'CI', permissions: ['account:read'] }, { idempotencyKey: 'ci' });
    const created = await create(svc);
    const next = newRootKey();

    const changed = await platform.secondNode({
      SVC_SECRET_KEY: next,
      SVC_SECRET_KEY_PREVIOUS: platform.secretKey,
    });
    expect(await sealedKey()).not.to.deep.equal(kept);
    expect(await create(changed.as(keys.live.secret))).to.deep.equal(created);
    expect(await create(svc)).to.deep.equal(created);

    expect(await startsWith({ SVC_SECRET_KEY: platform.secretKey })).to.match(wrongKey);
    const later = await platform.secondNode({ SVC_SECRET_KEY: next });
    expect(await create(later.as(keys.live.secret))).to.deep.equal(created);
  });

  it('is taken over from a database of before it could be changed, whose values it seals itself', async () => {
    const key = newRootKey();
    const digest = createVault(parseRootKey(key)).digest('svc', { table: 'svc_root_key', column: 'digest' });
    await database().run('UPDATE svc_root_key SET digest = ?, sealed_key = NULL', [digest]);
    expect(await startsWith({ SVC_SECRET_KEY: newRootKey() })).to.match(wrongKey);
    expect(await startsWith({ SVC_SECRET_KEY: key })).to.equal('started');
    const kept = await sealedKey();
    expect(kept).to.be.instanceOf(Buffer);
    const next = newRootKey();
    expect(await startsWith({ SVC_SECRET_KEY: next, SVC_SECRET_KEY_PREVIOUS: key })).to.equal('started');
    expect(await startsWith({ SVC_SECRET_KEY: next })).to.equal('started');
    expect(await sealedKey()).not.to.deep.equal(kept);
  });
});
