import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { passkeys, type PasskeyRow } from '../tables/passkey.js';
import type { PasskeyValue } from './resources.js';
import type { Assertion } from './verify.js';

/** A passkey as replies and events show it. */
export const presentPasskey = (row: PasskeyRow): PasskeyValue => ({
  id: row.id,
  name: row.name,
  credentialId: row.credentialId,
  transports: row.transports,
  backedUp: row.backedUp,
  aaguid: row.aaguid,
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
});

/** The passkey of an environment with this credential; null if no user has it. */
export const findCredential = (
  db: ReadSession,
  environmentId: string,
  credentialId: string,
): Promise<PasskeyRow | null> => db.findOne(passkeys, { environmentId, credentialId });

/**
 * Records a sign-in with a passkey if its signature counter is valid, by one conditional UPDATE. Most authenticators
 * have no counter and always report 0. If an authenticator counts, each signature must have a higher number than the
 * last one: an equal or lower number means that the key exists twice, or that the answer is an old one (WebAuthn Level
 * 3, section 6.1.1).
 * @returns false if the counter is not valid: in this case nothing is recorded
 */
export async function countSignature(
  db: Session,
  passkeyId: string,
  { signCount, backedUp }: Assertion,
  now: Date,
): Promise<boolean> {
  const { affectedRows } = await db.run(
    `UPDATE auth_passkey SET sign_count = ?, backed_up = ?, last_used_at = ?
     WHERE id = ? AND (sign_count < ? OR (sign_count = 0 AND ? = 0))`,
    [signCount, backedUp, now, idBytes(passkeyId), signCount, signCount],
  );
  return affectedRows === 1;
}
