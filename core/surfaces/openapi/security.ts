import type { Catalogue } from '#core/kernel/deployment-catalogue.js';
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

/** The security scheme of an operation; undefined for public ones. */
export function schemeOf({ access }: Operation): keyof typeof schemes | undefined {
  if (access === 'public') return undefined;
  return access === 'secret' || access === 'operator' ? 'secretKey' : 'publishableKey';
}

/** The schemes that enabled operations use: strict linters report unused ones as errors. */
export function securitySchemes({ operations }: Catalogue): Record<string, unknown> {
  const used = new Set<string | undefined>([...operations.values()].map(schemeOf));
  return Object.fromEntries(Object.entries(schemes).filter(([name]) => used.has(name)));
}
