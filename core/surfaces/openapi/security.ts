import type { Catalogue } from '#core/kernel/catalogue.js';
import type { Operation } from '#core/kernel/operation.js';

const schemes = {
  secretKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'A secret key (svc_live_… or svc_test_…), or a dashboard session.',
  },
  publishableKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'A publishable key (svc_live_pk… or svc_test_pk…).',
  },
};

/** The credential that an operation wants; undefined where it wants none. */
export function schemeOf({ access }: Operation): keyof typeof schemes | undefined {
  if (access === 'public') return undefined;
  return access === 'secret' || access === 'operator' ? 'secretKey' : 'publishableKey';
}

/** The schemes that some enabled operation wants: one that none wants is a riddle to readers, and an error to strict linters. */
export function securitySchemes({ operations }: Catalogue): Record<string, unknown> {
  const wanted = new Set<string | undefined>([...operations.values()].map(schemeOf));
  return Object.fromEntries(Object.entries(schemes).filter(([name]) => wanted.has(name)));
}
