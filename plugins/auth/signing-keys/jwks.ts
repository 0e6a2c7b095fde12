import { findEnvironment } from '#core/kernel/environment/environment.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import type { Resource } from '#core/kernel/resource.js';
import { formats } from '#core/kernel/schema/formats.js';
import { signingKeys } from '../tables/signing-key.js';
import { activeKey, jwksCacheSeconds } from './active.js';
import { isPublished } from './resources.js';

/**
 * The keys that verify an environment's access tokens (RFC 7517). An environment that has signed nothing yet gets its
 * first key here, so that a client that has read the set early does not have to read it again.
 */
export const jwks: Resource = {
  path: '/auth/jwks/{environmentId}',
  async answer({ params }, services) {
    const { database, clock } = services;
    const id = params['environmentId'] ?? '';
    const environment = formats['uuid']?.(id) ? await findEnvironment(database, id.toLowerCase()) : null;
    if (!environment) throw refusalOf.not_found({ thing: 'environment', lookup: 'account.project.list' });
    const first = await database.findOne(signingKeys, { activeEnvironmentId: environment.id });
    if (!first) await services.transaction('Signing keys', (context) => activeKey(context, environment.id));
    const rows = await database.find(signingKeys, { environmentId: environment.id });
    const keys = rows
      .filter((row) => isPublished(row, clock.now()))
      .sort((a, b) => (a.id < b.id ? 1 : -1))
      .map(({ id: kid, algorithm, publicJwk }) => ({ ...publicJwk, kid, alg: algorithm, use: 'sig' }));
    return { body: JSON.stringify({ keys }), type: 'application/jwk-set+json', cacheSeconds: jwksCacheSeconds };
  },
};
