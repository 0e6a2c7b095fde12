import { randomBytes } from 'node:crypto';
import { typedCode } from '#core/kernel/schema/typed.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import { recoveryCodes } from '../tables/recovery-code.js';

const codesPerUser = 10;
/**
 * Crockford's base32: no I, L, O or U, so that a code on paper can be read in only one way. Ten characters have 50
 * bits.
 */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

interface Owner {
  id: string;
  environmentId: string;
}

function newCode(): string {
  const text = [...randomBytes(10)].map((byte) => alphabet.charAt(byte % alphabet.length)).join('');
  return `${text.slice(0, 5)}-${text.slice(5)}`;
}

/**
 * The form that is compared: without case, hyphens and white space, and with the letters that a reader may confuse with
 * digits replaced.
 */
const normalized = (code: string): string => typedCode(code).toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1');

const digestOf = (vault: Vault, userId: string, code: string): Buffer =>
  vault.digest(`${userId} ${normalized(code)}`, { table: 'auth_recovery_code', column: 'code_digest' });

/**
 * Gives a user ten new recovery codes, which replace all earlier ones.
 * @returns the codes; only their keyed digests are stored
 */
export async function replaceRecoveryCodes(db: Session, vault: Vault, user: Owner, now: Date): Promise<string[]> {
  const codes = new Set<string>();
  while (codes.size < codesPerUser) codes.add(newCode());
  await db.remove(recoveryCodes, { userId: user.id });
  await db.insert(
    recoveryCodes,
    [...codes].map((code) => ({
      userId: user.id,
      codeDigest: digestOf(vault, user.id, code),
      environmentId: user.environmentId,
      createdAt: now,
      usedAt: null,
    })),
  );
  return [...codes];
}

/**
 * Uses up a recovery code. One conditional UPDATE decides, so a code is valid once, no matter how many calls present
 * it.
 * @returns whether it was one of the user's unused codes
 */
export async function spendRecoveryCode(
  db: Session,
  vault: Vault,
  userId: string,
  code: string,
  now: Date,
): Promise<boolean> {
  const { affectedRows } = await db.run(
    'UPDATE auth_recovery_code SET used_at = ? WHERE user_id = ? AND code_digest = ? AND used_at IS NULL',
    [now, idBytes(userId), digestOf(vault, userId, code)],
  );
  return affectedRows === 1;
}

/** How many recovery codes a user has not used. */
export async function countRecoveryCodes(db: ReadSession, userId: string): Promise<number> {
  const [row] = await db.rows<{ found: number }>(
    'SELECT COUNT(*) AS found FROM auth_recovery_code WHERE user_id = ? AND used_at IS NULL',
    [idBytes(userId)],
  );
  return row?.found ?? 0;
}
