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

const userFields = {
  id: uuid('The user’s id: `sub` of their access tokens.'),
  email: nullable(text('The primary address.')),
  emailVerified: boolean('Whether the user has proven the primary address.'),
  phone: nullable(text('The primary number, E.164.')),
  phoneVerified: boolean('Whether the user has proven the primary number.'),
  name: nullable(text('The user’s name.')),
  pictureUrl: nullable(url('The user’s picture.')),
  locale: nullable(text('The user’s language, a BCP 47 tag.')),
  externalId: nullable(text('The user’s id in your system, unique in the environment.')),
  userMetadata: map(anything(), 'What the user may write themself.'),
  metadata: map(anything(), 'Written with secret keys only; the user may see it, and claims may be taken from it.'),
  bannedAt: nullable(dateTime('Since when the user is banned; null while they are not.')),
  bannedUntil: nullable(dateTime('When the ban ends; null where it has no end.')),
  lastSignInAt: nullable(dateTime('When the user signed in last.')),
  createdAt: dateTime('When the user was created.'),
  updatedAt: dateTime('When the user changed last.'),
};

/** A user as they see themselves, and as events show them. */
export const User = named('User', object(userFields, { description: 'An end user of the environment.' }));

/** A user as secret keys see them. */
export const UserWithPrivateMetadata = named(
  'UserWithPrivateMetadata',
  object(
    {
      ...userFields,
      banReason: nullable(text('Why the user is banned; null while they are not.')),
      privateMetadata: map(anything(), 'Seen and written with secret keys only.'),
    },
    {
      description: 'An end user, with what only secret keys may see.',
      columns: ['id', 'email', 'name', 'phone', 'bannedAt', 'lastSignInAt', 'createdAt', 'externalId'],
    },
  ),
);

export type UserValue = ValueOf<typeof User>;
export type UserWithPrivateMetadataValue = ValueOf<typeof UserWithPrivateMetadata>;
