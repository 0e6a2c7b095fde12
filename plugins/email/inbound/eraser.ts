import type { ErasureContext, ErasureStep, RequestedErasure } from '#core/kernel/person.js';
import { mailboxKey } from '#core/kernel/schema/email-address.js';
import { joined } from '#core/runtime/database/statement.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { inbounds, type InboundRow } from '../tables/inbound.js';
import { removeContents, removeInbound } from './remove.js';

/** Messages of one step: with attachments and events, one message may have a hundred rows. */
const messagesPerStep = 5;

/**
 * Erases a person from received mail, found by the address. Mail that the person sent is deleted; mail from others to
 * the person keeps its sender and loses its content. For refused mail, there is only an event.
 */
export async function eraseInbound(person: RequestedErasure, context: ErasureContext): Promise<ErasureStep> {
  const { db, clock } = context;
  const { environment, email, requestedAt } = person;
  if (email === null) return { done: 0 };
  const key = mailboxKey(email);
  const of = [idBytes(environment.id), Buffer.from(key)];
  const found = await db.rows<{ inbound_id: Buffer; role: Buffer }>(
    `SELECT a.inbound_id, a.role FROM email_inbound_address a LEFT JOIN email_inbound i ON i.id = a.inbound_id
     WHERE a.environment_id = ? AND a.address_key = ? AND (i.id IS NULL OR i.received_at <= ?) ORDER BY a.inbound_id LIMIT ?`,
    [...of, requestedAt, messagesPerStep],
  );
  if (found.length === 0) return { done: 0 };
  const ids = found.map((row) => row.inbound_id);
  const rows = (
    await db.rows<object>(`SELECT ${inbounds.columnList()} FROM email_inbound WHERE id IN (?) ORDER BY id FOR UPDATE`, [
      ids,
    ])
  ).map(inbounds.decode);
  const sent = new Set(found.filter(({ role }) => role.toString() === 'sender').map((row) => idText(row.inbound_id)));
  await removeInbound(
    db,
    rows.filter(({ id }) => sent.has(id)),
    clock.now(),
  );
  const others = rows.filter(({ id }) => !sent.has(id)).map((row) => withoutRecipient(row, key));
  if (others.length > 0) {
    await db.run(joined(others.map(({ id, ...row }) => inbounds.updateRow({ id }, row))));
    await removeContents(
      db,
      rows.filter(({ id }) => !sent.has(id)),
    );
  }
  await db.run('DELETE FROM email_inbound_address WHERE environment_id = ? AND address_key = ? AND inbound_id IN (?)', [
    ...of,
    ids,
  ]);
  await context.redactAbout({ type: 'inbound', ids: ids.map(idText) });
  return { done: ids.length };
}

const withoutRecipient = (row: InboundRow, key: string): InboundRow => ({
  ...row,
  contentId: null,
  subject: null,
  attachmentCount: 0,
  envelopeTo: mailboxKey(row.envelopeTo) === key ? '' : row.envelopeTo,
  toAddresses: row.toAddresses.filter((address) => mailboxKey(address) !== key),
});
