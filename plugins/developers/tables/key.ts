import { EntitySchema } from 'typeorm';
import type { Role } from '#core/kernel/caller/caller.js';
import {
  digestColumn,
  exactColumn,
  idColumn,
  jsonColumn,
  nullable,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';

export interface KeyRow {
  id: string;
  environmentId: string;
  name: string;
  kind: 'secret' | 'publishable';
  prefix: string;
  /** SHA-256 of the plaintext, which is kept nowhere. */
  digest: Buffer;
  permissions: string[];
  allowedOrigins: string[] | null;
  /** The creator's role: the key's ceiling. */
  role: Role;
  /** The member who made the key, or who made the key that made it. */
  memberId: string | null;
  /** The first key of the line of rotations: what idempotency keys are scoped to. */
  lineageId: string;
  createdBy: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

export const keys = new EntitySchema<KeyRow>({
  name: 'developers_key',
  columns: {
    id: idColumn(),
    environmentId: uuidColumn(),
    name: textColumn(120),
    kind: exactColumn(11),
    prefix: exactColumn(20),
    digest: digestColumn(),
    permissions: jsonColumn(),
    allowedOrigins: nullable(jsonColumn()),
    role: exactColumn(10),
    memberId: nullable(uuidColumn()),
    lineageId: uuidColumn(),
    createdBy: textColumn(254),
    createdAt: timeColumn(),
    lastUsedAt: nullable(timeColumn()),
    revokedAt: nullable(timeColumn()),
  },
});
