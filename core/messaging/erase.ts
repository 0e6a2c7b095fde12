import type { ErasureStep, PersonEraser, RequestedErasure } from '#core/kernel/person.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { isLeasedSql, lockChunks } from './chunks.js';
import type { MessageDriver, StatusChange } from './driver.js';
import { cancelWaiting, finalizeMessages } from './finalize.js';
import { loadMessages } from './load.js';
import { redactMessages } from './redact.js';
import type { MessageFields } from './tables.js';

/** Messages of one step: with attachments, tags, attempts, events and stored answers, one may have some eighty rows. */
const messagesPerStep = 6;

/**
 * Erases a person from a channel's messages, a few per step. Waiting messages are cancelled first: nothing is sent to
 * an erased person. Messages that a worker has leased are handled in a later step.
 *
 * A message belongs to the person if it names the person's id or went to the person's address. The kernel leaves the
 * address out of the request if another person in the environment also has it.
 */
export const messageEraser =
  <M extends MessageFields>(driver: MessageDriver<M>): PersonEraser['step'] =>
  async (person, context) => {
    const { db, clock } = context;
    const address = driver.redaction.addressOf(person);
    const addressKeys = address === null ? [] : driver.keysOf(address);
    const { leased, ids } = await messagesOf(db, driver, person, addressKeys);
    const withdrawn = await withdraw(db, driver, ids);
    // Another erasure may be redacting the same messages: one for each address that a person had runs at the same time.
    const loaded = [...(await loadMessages(db, driver, withdrawn.map(idText), { lock: true })).values()];
    const redacted = await redactMessages(db, driver, loaded, person, addressKeys);
    await context.redactAbout({ type: 'message', ids: withdrawn.map(idText) });
    // After the redaction, so that the events do not name the person.
    const at = clock.now();
    const open = redacted.filter(({ message }) => message.endedAt === null);
    const before = new Map(loaded.map(({ message }) => [message.id, message]));
    const ended = open.map(({ message, recipients }) => ({
      message,
      before: before.get(message.id) ?? message,
      environment: person.environment,
      recipients: cancelWaiting(recipients, at),
    }));
    await finalizeMessages(context, driver, ended, at, (change: StatusChange<M>) => driver.emit(context, change));
    return { done: withdrawn.length, stillInUse: leased || withdrawn.length < ids.length } satisfies ErasureStep;
  };

/**
 * The next of a person's messages that no worker has leased, and whether one has leased any. Only messages that were
 * accepted before the erasure was requested are found by the address: later ones are for the person who has the address
 * now, or a final notice to the person who left.
 */
async function messagesOf<M extends MessageFields>(
  db: Session,
  driver: MessageDriver<M>,
  { environment, personId, requestedAt }: RequestedErasure,
  addressKeys: readonly string[],
): Promise<{ leased: boolean; ids: Buffer[] }> {
  const { messages, recipients } = driver.tables;
  const person = idBytes(personId);
  const environmentId = idBytes(environment.id);
  const byId = `SELECT id FROM ${messages.tableName} WHERE contact_id = ? AND environment_id = ?
    UNION SELECT id FROM ${messages.tableName} WHERE person_id = ? AND environment_id = ?`;
  const byAddress = `SELECT r.message_id AS id FROM ${recipients.tableName} r FORCE INDEX (address)
    STRAIGHT_JOIN ${messages.tableName} m ON m.id = r.message_id
    WHERE r.environment_id = ? AND r.address_key IN (?) AND m.created_at <= ?`;
  const found = `(${byId}${addressKeys.length === 0 ? '' : ` UNION ${byAddress}`}) found`;
  const parameters = [
    ...[person, environmentId, person, environmentId],
    ...(addressKeys.length === 0 ? [] : [environmentId, addressKeys.map((key) => Buffer.from(key)), requestedAt]),
  ];
  const leased = await db.rows(
    `SELECT m.id FROM ${found} JOIN ${messages.tableName} m ON m.id = found.id WHERE ${isLeasedSql(driver, 'm')} LIMIT 1`,
    parameters,
  );
  const rows = await db.rows<{ id: Buffer }>(
    `SELECT m.id FROM ${found} JOIN ${messages.tableName} m ON m.id = found.id
     WHERE NOT ${isLeasedSql(driver, 'm')} ORDER BY m.id LIMIT ?`,
    [...parameters, messagesPerStep],
  );
  return { leased: leased.length > 0, ids: rows.map(({ id }) => id) };
}

/**
 * Takes messages out of the queue, or locks their chunks.
 * @returns the messages that no worker has leased, queued or ended
 */
async function withdraw<M extends MessageFields>(
  db: Session,
  driver: MessageDriver<M>,
  ids: readonly Buffer[],
): Promise<Buffer[]> {
  if (ids.length === 0) return [];
  const { queue } = driver;
  const inLeasedChunk = await lockChunks(db, driver, ids);
  const rows = await db.rows<{ id: Buffer; leased: number }>(
    `SELECT id, leased FROM ${queue.table} WHERE id IN (?) ORDER BY id FOR UPDATE`,
    [ids],
  );
  const leased = [...rows.filter((row) => row.leased === 1).map(({ id }) => id), ...inLeasedChunk];
  const free = ids.filter((id) => !leased.some((each) => each.equals(id)));
  if (free.length > 0) await db.run(`DELETE FROM ${queue.table} WHERE id IN (?) AND leased <> 1`, [free]);
  return free;
}
