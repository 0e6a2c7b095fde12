import { updateTime } from '#core/kernel/audit/unchanged.js';
import type { Session } from '#core/runtime/database/session.js';
import { identities, type IdentityRow } from '../tables/identity.js';
import { users, type UserRow } from '../tables/user.js';

/** The primary identity of a kind: the marked one, or the oldest proven one, or the oldest. */
function primaryOf(rows: readonly IdentityRow[], kind: 'email' | 'phone'): IdentityRow | undefined {
  const ofKind = rows.filter((row) => row.kind === kind).sort((a, b) => (a.id < b.id ? -1 : 1));
  return ofKind.find((row) => row.isPrimary) ?? ofKind.find((row) => row.verifiedAt !== null) ?? ofKind[0];
}

/**
 * Copies the primary identities to the user's row again, after identities were added, proven or removed. If a primary
 * identity is gone, the oldest proven one replaces it.
 * @returns the user's current state
 */
export async function refreshPrimary(db: Session, user: UserRow, now: Date): Promise<UserRow> {
  const rows = await db.find(identities, { userId: user.id });
  const [email, phone] = [primaryOf(rows, 'email'), primaryOf(rows, 'phone')];
  for (const row of [email, phone])
    if (row?.isPrimary === false) await db.update(identities, { id: row.id }, { isPrimary: true });
  const fields = {
    email: email?.value ?? null,
    emailKey: email?.identityKey ?? null,
    emailVerified: Boolean(email?.verifiedAt),
    phone: phone?.value ?? null,
    phoneVerified: Boolean(phone?.verifiedAt),
  };
  const isSame =
    fields.emailKey === user.emailKey &&
    fields.email === user.email &&
    fields.emailVerified === user.emailVerified &&
    fields.phone === user.phone &&
    fields.phoneVerified === user.phoneVerified;
  if (isSame) return user;
  const updatedAt = updateTime(user, now);
  await db.update(users, { id: user.id }, { ...fields, updatedAt });
  return { ...user, ...fields, updatedAt };
}
