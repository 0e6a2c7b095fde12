import {
  anything,
  boolean,
  dateTime,
  map,
  named,
  nullable,
  object,
  text,
  url,
  uuid,
  type ValueOf,
} from '#core/kernel/schema/schema.js';
import { jsonRecord } from '#core/runtime/database/json.js';
import type { UserRow } from '../tables/user.js';
import { isBanned } from './ban.js';

const userFields = {
  id: uuid('The user’s id: `sub` in their access tokens.'),
  email: nullable(text('The primary address.')),
  emailVerified: boolean('Whether the primary address is verified.'),
  phone: nullable(text('The primary number, E.164.')),
  phoneVerified: boolean('Whether the primary number is verified.'),
  name: nullable(text('The user’s name.')),
  pictureUrl: nullable(url('The URL of the user’s picture.')),
  locale: nullable(text('The user’s language, a BCP 47 tag.')),
  externalId: nullable(text('The user’s id in your system, unique in the environment.')),
  userMetadata: map(anything(), 'Metadata that the user can write.'),
  metadata: map(anything(), 'Writable only with secret keys; the user can read it, and claims can be taken from it.'),
  bannedAt: nullable(dateTime('When the user was banned; null if they are not.')),
  bannedUntil: nullable(dateTime('When the ban ends; null if it is permanent.')),
  lastSignInAt: nullable(dateTime('When the user last signed in.')),
  createdAt: dateTime('When the user was created.'),
  updatedAt: dateTime('When the user last changed.'),
};

/** A user as they see themselves, and as events show them. */
export const User = named('User', object(userFields, { description: 'An end user of the environment.' }));

/** A user as secret keys see them. */
export const UserWithPrivateMetadata = named(
  'UserWithPrivateMetadata',
  object(
    {
      ...userFields,
      banReason: nullable(text('Why the user is banned; null if they are not.')),
      privateMetadata: map(anything(), 'Readable and writable only with secret keys.'),
    },
    {
      description: 'An end user, with the fields that only secret keys can read.',
      columns: ['id', 'email', 'name', 'phone', 'bannedAt', 'lastSignInAt', 'createdAt', 'externalId'],
    },
  ),
);

export type UserValue = ValueOf<typeof User>;
export type UserWithPrivateMetadataValue = ValueOf<typeof UserWithPrivateMetadata>;

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
