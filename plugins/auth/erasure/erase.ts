import {
  erasureBatch,
  type ErasureContext,
  type FindAddressHolder,
  type PersonEraser,
  type RequestedErasure,
} from '#core/kernel/person.js';
import { joined } from '#core/runtime/database/statement.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { emailIdentity, phoneIdentity } from '../identities/normalize.js';
import { findIdentity } from '../users/find.js';
import { tablesOfUser } from './tables-of-user.js';

/** The other user in the environment who has the address. */
export const findAddressHolder: FindAddressHolder = async (db, { environment, personId, kind, address }) => {
  const identity = kind === 'email' ? emailIdentity(address) : phoneIdentity(address);
  const found = await findIdentity(db, environment.id, identity);
  return found === null || found.userId === personId
    ? null
    : { type: 'user', id: found.userId, operation: 'auth.user.delete' };
};

/** Things whose events are redacted one at a time, so a step handles only a few. */
const perStep = 50;

/**
 * Erases the data that is too much for the transaction that deletes a user, or was written while that transaction ran:
 * sessions, started sign-ins, devices, and invitations to the person's addresses. For a contact, it erases only rows
 * that contain one of the contact's addresses.
 */
export const eraser = (): PersonEraser => ({
  async step(person, context) {
    const done =
      (await eraseSessions(person, context)) +
      (await eraseInvites(person, context)) +
      (await eraseDevices(person, context)) +
      (await eraseChallenges(person, context)) +
      (await eraseRows(person, context));
    return { done };
  },
});

async function eraseSessions({ personId }: RequestedErasure, { db, redactAbout }: ErasureContext): Promise<number> {
  const rows = await db.rows<{ id: Buffer }>('SELECT id FROM auth_session WHERE user_id = ? LIMIT ?', [
    idBytes(personId),
    perStep,
  ]);
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  await redactAbout({ type: 'session', ids: ids.map(idText) });
  await db.run('DELETE FROM auth_handoff WHERE session_id IN (?); DELETE FROM auth_session WHERE id IN (?)', [
    ids,
    ids,
  ]);
  return rows.length;
}

/**
 * Invitations that the person accepted, and those sent to their address. Later ones belong to the person who has the
 * address now.
 */
async function eraseInvites(
  { personId, email, environment, requestedAt }: RequestedErasure,
  { db, redactAbout }: ErasureContext,
): Promise<number> {
  const accepted = { sql: 'SELECT id FROM auth_org_invite WHERE accepted_by = ?', parameters: [idBytes(personId)] };
  const addressed = {
    sql: 'SELECT id FROM auth_org_invite WHERE environment_id = ? AND email_key = ? AND created_at <= ?',
    parameters: [idBytes(environment.id), Buffer.from(email === null ? '' : emailIdentity(email).key), requestedAt],
  };
  const found = email === null ? [accepted] : [accepted, addressed];
  const rows = await db.rows<{ id: Buffer }>(`${found.map(({ sql }) => sql).join(' UNION ')} LIMIT ?`, [
    ...found.flatMap(({ parameters }) => parameters),
    perStep,
  ]);
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  await redactAbout({ type: 'invite', ids: ids.map(idText) });
  await db.run('DELETE FROM auth_org_invite WHERE id IN (?)', [ids]);
  return rows.length;
}

async function eraseDevices({ personId }: RequestedErasure, { db, redactAbout }: ErasureContext): Promise<number> {
  const rows = await db.rows<{ id: Buffer }>('SELECT id FROM auth_device WHERE user_id = ? LIMIT ?', [
    idBytes(personId),
    perStep,
  ]);
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  await redactAbout({ type: 'device', ids: ids.map(idText) });
  await db.run('DELETE FROM auth_device WHERE id IN (?)', [ids]);
  return rows.length;
}

/** Started sign-ins. Those started later with the address may belong to a person who signs up again. */
async function eraseChallenges(
  { personId, email, phone, environment, requestedAt }: RequestedErasure,
  { db, redactAbout }: ErasureContext,
): Promise<number> {
  const addresses = [
    ...(email === null ? [] : [emailIdentity(email)]),
    ...(phone === null ? [] : [phoneIdentity(phone)]),
  ];
  const found = [
    { sql: 'SELECT id FROM auth_challenge WHERE user_id = ?', parameters: [idBytes(personId)] },
    ...addresses.map(({ kind, key }) => ({
      // Challenges are too short-lived to have been stored with another form of a number.
      sql: 'SELECT id FROM auth_challenge WHERE environment_id = ? AND identity_kind = ? AND identity_key = ? AND created_at <= ?',
      parameters: [idBytes(environment.id), Buffer.from(kind), Buffer.from(key), requestedAt],
    })),
  ];
  const rows = await db.rows<{ id: Buffer }>(`${found.map(({ sql }) => sql).join(' UNION ')} LIMIT ?`, [
    ...found.flatMap(({ parameters }) => parameters),
    perStep,
  ]);
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  await redactAbout({ type: 'challenge', ids: ids.map(idText) });
  await db.run('DELETE FROM auth_challenge WHERE id IN (?)', [ids]);
  return rows.length;
}

/** Tables whose rows refer to a user by id and that have no events. */
const tables = [...tablesOfUser, 'auth_oauth_state', 'auth_openid_record'];

async function eraseRows({ personId }: RequestedErasure, { db }: ErasureContext): Promise<number> {
  const outcomes = await db.batch(
    joined(
      tables.map((table) => ({
        sql: `DELETE FROM ${table} WHERE user_id = ? LIMIT ${erasureBatch}`,
        parameters: [idBytes(personId)],
      })),
    ),
  );
  return outcomes.reduce((sum, outcome) => sum + ('affectedRows' in outcome ? outcome.affectedRows : 0), 0);
}
