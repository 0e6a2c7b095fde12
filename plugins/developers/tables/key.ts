import { roles } from '#core/kernel/caller/caller.js';
import { owned } from '#core/kernel/environment/owned.js';
import {
  choiceColumn,
  digestColumn,
  exactColumn,
  idColumn,
  jsonColumn,
  nullable,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

export const keys = owned(
  defineTable('developers_key', {
    id: idColumn(),
    environmentId: uuidColumn(),
    name: textColumn(120),
    kind: choiceColumn(['secret', 'publishable'], 11),
    prefix: exactColumn(20),
    /** SHA-256 of the plaintext, which is stored nowhere. */
    digest: digestColumn(),
    permissions: jsonColumn<string[]>(),
    allowedOrigins: nullable(jsonColumn<string[]>()),
    /** Limits the permissions: the role of the key's creator, or a lower one. */
    role: choiceColumn(roles, 10),
    /**
     * The member who has seen the plaintext, because they created or rotated the key, directly or with one of their
     * keys. Null for keys that belong only to the account: those of the first start, bootstrap and signup, and keys
     * that were created with them.
     */
    memberId: nullable(uuidColumn()),
    /** The first key in a chain of rotations: the scope of idempotency keys and of the request limit. */
    lineageId: uuidColumn(),
    createdBy: textColumn(254),
    /**
     * The IP address that the key was created from. Null for keys of the server itself, and for keys that are older
     * than this column.
     */
    createdIp: nullable(textColumn(45)),
    createdAt: timeColumn(),
    /** Null until its first change. */
    updatedAt: nullable(timeColumn()),
    lastUsedAt: nullable(timeColumn()),
    revokedAt: nullable(timeColumn()),
  }),
  { thing: 'key', lookup: 'developers.key.list' },
);

export type KeyRow = RowOf<typeof keys>;
