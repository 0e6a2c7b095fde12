import {
  bytesColumn,
  choiceColumn,
  exactColumn,
  flagColumn,
  idColumn,
  nullable,
  primary,
  timeColumn,
} from '#core/runtime/database/columns.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';
import { idBytes } from '#core/runtime/id.js';

const keyAlgorithms = ['rsa', 'ed25519'] as const;

/** A DKIM key of a sending domain (RFC 6376). */
export const domainKeys = defineTable('email_domain_key', {
  domainId: idColumn(),
  selector: primary(exactColumn(63)),
  algorithm: choiceColumn(keyAlgorithms, 10),
  /** In base64, as in the DNS record. */
  publicKey: exactColumn(500),
  privateKeySealed: bytesColumn(4_000),
  /** Whether the last check found the key's DNS record. Mail is signed with the key only if it did. */
  resolved: flagColumn(),
  /** When a newer key replaced it in signing; null while none has. */
  replacedAt: nullable(timeColumn()),
});

export type DomainKeyRow = RowOf<typeof domainKeys>;

/** The name of a DKIM key's record (RFC 6376 §3.6.2.1). */
export const keyName = (selector: string, domain: string): string => `${selector}._domainkey.${domain}`;

/** The keys of the given domains, by selector. */
export async function keysOf(db: ReadSession, domainIds: readonly string[]): Promise<DomainKeyRow[]> {
  if (domainIds.length === 0) return [];
  const rows = await db.rows<object>(
    `SELECT ${domainKeys.columnList()} FROM email_domain_key WHERE domain_id IN (?) ORDER BY domain_id, selector`,
    [domainIds.map(idBytes)],
  );
  return rows.map(domainKeys.decode);
}
