import { jsonRecord } from '#core/runtime/database/json.js';
import type { UserRow } from '../tables/user.js';
import { isBanned } from './ban.js';
import type { UserValue, UserWithPrivateMetadataValue } from './resources.js';

/**
 * A user as they see themselves, and as events show them.
 * @param now a ban that has ended at this time is not shown
 */
export function presentUser(row: UserRow, now: Date): UserValue {
  const banned = isBanned(row, now);
  return {
    id: row.id,
    email: row.email,
    emailVerified: row.emailVerified,
    phone: row.phone,
    phoneVerified: row.phoneVerified,
    name: row.name,
    pictureUrl: row.pictureUrl,
    locale: row.locale,
    externalId: row.externalId,
    userMetadata: jsonRecord(row.userMetadata),
    metadata: jsonRecord(row.metadata),
    bannedAt: banned ? (row.bannedAt?.toISOString() ?? null) : null,
    bannedUntil: banned ? (row.bannedUntil?.toISOString() ?? null) : null,
    lastSignInAt: row.lastSignInAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** A user as secret keys see them. */
export const presentUserPrivately = (row: UserRow, now: Date): UserWithPrivateMetadataValue => ({
  ...presentUser(row, now),
  banReason: isBanned(row, now) ? row.banReason : null,
  privateMetadata: jsonRecord(row.privateMetadata),
});
