import {
  erasureBatch,
  type ErasedPerson,
  type ErasureContext,
  type PersonEraser,
} from '#core/kernel/erasure/person.js';
import type { Services } from '#core/kernel/services.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { addressDigest, addressKey } from './address.js';

/**
 * What is too much for the transaction that deletes a contact: the events that were recorded of the person, and the addresses in
 * suppressions, of which some are older than the contact. Those stay in force by their digests.
 */
export const eraser = ({ vault }: Services): PersonEraser => {
  const digestsOf = ({ environment, email, phone }: ErasedPerson): Buffer[] => [
    ...(email === null ? [] : [addressDigest(vault, environment.id, 'email', addressKey('email', email))]),
    ...(phone === null ? [] : [addressDigest(vault, environment.id, 'sms', addressKey('sms', phone))]),
  ];
  return {
    async step(person, context) {
      const { affectedRows } = await context.db.run('DELETE FROM audience_event WHERE contact_id = ? LIMIT ?', [
        idBytes(person.personId),
        erasureBatch,
      ]);
      return { done: affectedRows + (await redactSuppressions(person, digestsOf(person), context)) };
    },
  };
};

async function redactSuppressions(
  { environment }: ErasedPerson,
  digests: readonly Buffer[],
  { db, redactAbout }: ErasureContext,
): Promise<number> {
  if (digests.length === 0) return 0;
  const rows = await db.rows<{ id: Buffer }>(
    `SELECT id FROM audience_suppression
     WHERE environment_id = ? AND channel IN ('email', 'sms') AND address_digest IN (?) AND address IS NOT NULL LIMIT ?`,
    [idBytes(environment.id), digests, erasureBatch],
  );
  if (rows.length === 0) return 0;
  await redactAbout({ type: 'suppression', ids: rows.map(({ id }) => idText(id)) });
  await db.run('UPDATE audience_suppression SET address = NULL, note = NULL WHERE id IN (?)', [
    rows.map(({ id }) => id),
  ]);
  return rows.length;
}
