import { owned } from '#core/kernel/environment/owned.js';
import {
  bigintColumn,
  bytesColumn,
  exactColumn,
  flagColumn,
  idColumn,
  jsonColumn,
  nullable,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

/** WebAuthn credentials. */
export const passkeys = owned(
  defineTable('auth_passkey', {
    id: idColumn(),
    environmentId: uuidColumn(),
    userId: uuidColumn(),
    name: textColumn(120),
    /** base64url. */
    credentialId: exactColumn(1400),
    /** COSE. */
    publicKey: bytesColumn(2048),
    /** The signature counter, an unsigned 32-bit number; 0 for authenticators that have none. */
    signCount: bigintColumn(),
    transports: jsonColumn<string[]>(),
    backedUp: flagColumn(),
    aaguid: exactColumn(36),
    createdAt: timeColumn(),
    lastUsedAt: nullable(timeColumn()),
  }),
  { thing: 'passkey', lookup: 'auth.passkey.list' },
);

export type PasskeyRow = RowOf<typeof passkeys>;
