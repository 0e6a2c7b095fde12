import { owned } from '#core/kernel/environment/owned.js';
import {
  bytesColumn,
  choiceColumn,
  idColumn,
  jsonColumn,
  nullable,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

export const signingAlgorithms = ['ES256', 'RS256', 'EdDSA'] as const;
export type SigningAlgorithm = (typeof signingAlgorithms)[number];
export const signingKeyStatuses = ['active', 'published', 'retired'] as const;

/** Keys that sign an environment’s access tokens. */
export const signingKeys = owned(
  defineTable('auth_signing_key', {
    /** The `kid` of its tokens. */
    id: idColumn(),
    environmentId: uuidColumn(),
    /** The environment while the key signs: an environment has at most one such key. */
    activeEnvironmentId: nullable(uuidColumn()),
    algorithm: choiceColumn(signingAlgorithms, 5),
    status: choiceColumn(signingKeyStatuses, 9),
    publicJwk: jsonColumn<Record<string, string>>(),
    /** PKCS #8 (DER), sealed; null once retired. */
    privateKey: nullable(bytesColumn(4000)),
    createdAt: timeColumn(),
    /** The time from which it signs; null for an environment's first key, which signs immediately. */
    signsFrom: nullable(timeColumn()),
    /** When its last token will have expired; null while it signs. */
    retiresAt: nullable(timeColumn()),
  }),
  { thing: 'signing key', lookup: 'auth.signingKey.list' },
);

export type SigningKeyRow = RowOf<typeof signingKeys>;
