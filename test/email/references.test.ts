import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { usePlatform } from '#test/support/platform.js';
import { markReferenced, freeReferences, referencesTo } from '#plugins/email/senders/references.js';

describe('Usages of templates and sending domains', () => {
  const platform = usePlatform();

  it('are counted by type, and named newest first, until they are freed, apart for each environment, kind and name', async () => {
    const { live, test } = await platform.account();
    const { database } = platform.running.services;
    const target = { kind: 'template', target: 'welcome' } as const;
    const [first, second, automation, elsewhere] = [newId(), newId(), newId(), newId()];
    await database.transaction(async (db) => {
      for (const id of [first, second, first]) await markReferenced(db, live.id, target, { type: 'broadcast', id });
      await markReferenced(db, live.id, target, { type: 'automation', id: automation });
      await markReferenced(db, test.id, target, { type: 'broadcast', id: elsewhere });
      await markReferenced(db, live.id, { kind: 'domain', target: 'example.com' }, { type: 'broadcast', id: first });
    });
    expect(await referencesTo(database, [live.id], target)).to.deep.equal([
      { type: 'automation', count: 1, ids: [automation] },
      { type: 'broadcast', count: 2, ids: [second, first] },
    ]);
    await database.transaction((db) => freeReferences(db, first, 'template'));
    const domain = { kind: 'domain', target: 'example.com' } as const;
    expect(await referencesTo(database, [live.id], domain)).to.deep.equal([
      { type: 'broadcast', count: 1, ids: [first] },
    ]);
    await database.transaction(async (db) => {
      for (const id of [first, second, automation]) await freeReferences(db, id);
    });
    expect(await referencesTo(database, [live.id], target)).to.deep.equal([]);
    expect(await referencesTo(database, [live.id], domain)).to.deep.equal([]);
    expect(await referencesTo(database, [test.id], target)).to.deep.equal([
      { type: 'broadcast', count: 1, ids: [elsewhere] },
    ]);
  });
});
