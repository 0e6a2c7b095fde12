import { owned } from '#core/kernel/environment/owned.js';
import {
  bytesColumn,
  choiceColumn,
  idColumn,
  intColumn,
  nullable,
  smallintColumn,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

export const factorKinds = ['totp'] as const;
export const factorStatuses = ['pending', 'active'] as const;

/** Second factors: TOTP (RFC 6238). */
export const factors = owned(
  defineTable('auth_factor', {
    id: idColumn(),
    environmentId: uuidColumn(),
    userId: uuidColumn(),
    /** The user while the factor is active: a user has at most one such factor. */
    activeUserId: nullable(uuidColumn()),
    kind: choiceColumn(factorKinds, 4),
    name: nullable(textColumn(120)),
    status: choiceColumn(factorStatuses, 7),
    /** Sealed. */
    secret: bytesColumn(200),
    /** The time step of the last accepted code, because each code is valid once. */
    lastStep: nullable(intColumn()),
    /** Wrong codes since `wrongCodesSince`, across all sign-ins of the user. */
    wrongCodes: smallintColumn(),
    wrongCodesSince: nullable(timeColumn()),
    createdAt: timeColumn(),
    activatedAt: nullable(timeColumn()),
  }),
  { thing: 'factor', lookup: 'auth.factor.list' },
);

export type FactorRow = RowOf<typeof factors>;
