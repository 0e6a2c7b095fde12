import { refusalOf } from '#core/kernel/errors/common.js';
import { findEnvironment } from '#core/kernel/environment/environment.js';
import type { Resource } from '#core/kernel/resource.js';
import { counts } from '../tables/count.js';
import { words } from '../tables/word.js';

/** The words of an environment, as a public document. */
export const wordList: Resource = {
  path: '/ping/{environmentId}/words.json',
  async answer({ params }, { database }) {
    const environment = await findEnvironment(database, params['environmentId'] ?? '');
    if (!environment) throw refusalOf.not_found({ thing: 'environment', lookup: 'account.project.list' });
    const rows = await database.find(words, { environmentId: environment.id });
    const count = await database.findOne(counts, { environmentId: environment.id });
    const body = JSON.stringify({ words: rows.map(({ word }) => word).sort(), added: count?.added ?? 0 });
    return { body, type: 'application/json', cacheSeconds: 60 };
  },
};
