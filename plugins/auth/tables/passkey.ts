import { owned } from '#core/kernel/environment/owned.js';
import {
  bytesColumn,
  exactColumn,
  flagColumn,
  idColumn,
  intColumn,
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
    signCount: intColumn(),
    transports: jsonColumn<string[]>(),
    backedUp: flagColumn(),
    aaguid: exactColumn(36),
    createdAt: timeColumn(),
    lastUsedAt: nullable(timeColumn()),
  }),
  { thing: 'passkey', lookup: 'auth.passkey.list' },
);

export type PasskeyRow = RowOf<typeof passkeys>;
