import type { Session } from '#core/runtime/database/session.js';
import { joined } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import type { InboundRow } from '../tables/inbound.js';

/**
 * Deletes received messages: only the id and the digest of the arrival of each stay.
 * @param rows locked by the caller
 */
export async function removeInbound(db: Session, rows: readonly InboundRow[], at: Date): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => idBytes(id));
  await db.run(
    `UPDATE email_inbound SET content_id = NULL, envelope_from = '', envelope_to = '', from_address = '', to_addresses = '[]', subject = NULL,
     message_id = NULL, in_reply_to = NULL, deleted_at = ? WHERE id IN (?)`,
    [at, ids],
  );
  await db.run('DELETE FROM email_inbound_address WHERE inbound_id IN (?)', [ids]);
  await removeContents(db, rows);
}

/** Deletes contents that no message refers to any more. */
export async function removeContents(db: Session, rows: readonly InboundRow[]): Promise<void> {
  const contentIds = rows.flatMap(({ contentId }) => (contentId === null ? [] : [idBytes(contentId)]));
  if (contentIds.length === 0) return;
  // Locked in the order of ids: two simultaneous deletions that share a content wait here, and the second one sees that
  // it is the last.
  await db.rows('SELECT id FROM email_inbound_content WHERE id IN (?) ORDER BY id FOR UPDATE', [contentIds]);
  const shared = await db.rows<{ content_id: Buffer }>(
    'SELECT DISTINCT content_id FROM email_inbound WHERE content_id IN (?)',
    [contentIds],
  );
  const unshared = contentIds.filter((id) => !shared.some(({ content_id: other }) => other.equals(id)));
  if (unshared.length === 0) return;
  await db.run(
    joined([
      { sql: 'DELETE FROM email_inbound_part WHERE content_id IN (?)', parameters: [unshared] },
      { sql: 'DELETE FROM email_inbound_attachment WHERE content_id IN (?)', parameters: [unshared] },
      { sql: 'DELETE FROM email_inbound_content WHERE id IN (?)', parameters: [unshared] },
    ]),
  );
}
