import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { erasedSince } from '#core/kernel/erasure/erased.js';
import { isDuplicate } from '#core/runtime/database/errors.js';
import { newId } from '#core/runtime/id.js';
import { identityKeys, type IdentityFacts } from '../identities/normalize.js';
import { searchKey } from '../search/key.js';
import { identities, type IdentityRow } from '../tables/identity.js';
import { users, type UserRow } from '../tables/user.js';
import { findIdentity } from './find.js';
import { nameStatement } from './names.js';
import { presentUser } from './resources.js';

interface NewUser {
  /** At least one. The first address and the first number are the primary ones. */
  identities: readonly (IdentityFacts & { verified: boolean })[];
  name?: string | null | undefined;
  pictureUrl?: string | null | undefined;
  locale?: string | null | undefined;
  externalId?: string | null | undefined;
  metadata?: Readonly<Record<string, unknown>>;
  privateMetadata?: Readonly<Record<string, unknown>>;
}

/** Another user has one of the identities, or the external id. */
export interface Taken {
  taken: IdentityFacts['kind'] | 'externalId';
}

/** The person was erased after the input that would create their user was accepted. */
interface ErasedMeanwhile {
  erased: true;
}

/**
 * Creates a user with their identities and emits auth.user.created. The identities are inserted first: their unique
 * index decides between calls that create the same user at the same time, and a losing call leaves nothing behind.
 * @param acceptedAt when the input was accepted: input that waited does not bring back a person who was erased since
 * @returns the user and their identities, or what another user already has
 */
export async function createUser(
  context: Context<'auth.user.created'>,
  environment: Environment,
  user: NewUser,
  acceptedAt: Date | 'now',
): Promise<{ user: UserRow; identities: IdentityRow[] } | Taken | ErasedMeanwhile> {
  const { db, vault, clock, emit } = context;
  const names = user.identities.map(({ kind, value }) => (kind === 'oauth' ? {} : { [kind]: value }));
  const input = { environmentId: environment.id, product: 'auth', acceptedAt };
  if ((await erasedSince({ db, vault }, input, [...names, { externalId: user.externalId }])).includes(true))
    return { erased: true };
  // The unique index does not know the other form of a number that was stored before.
  for (const identity of user.identities)
    if (identityKeys(identity).length > 1 && (await findIdentity(db, environment.id, identity)))
      return { taken: identity.kind };
  const now = clock.now();
  const id = newId();
  const rows: IdentityRow[] = user.identities.map(({ kind, key, value, provider, verified }, index) => ({
    id: newId(),
    environmentId: environment.id,
    userId: id,
    kind,
    identityKey: key,
    value,
    provider,
    verifiedAt: verified ? now : null,
    isPrimary: kind !== 'oauth' && user.identities.findIndex((each) => each.kind === kind) === index,
    byUser: false,
    createdAt: now,
  }));
  const inserted: string[] = [];
  for (const row of rows) {
    try {
      await db.insert(identities, row);
      inserted.push(row.id);
    } catch (error) {
      if (!isDuplicate(error, 'identity_key')) throw error;
      await removeIdentities(context, inserted);
      return { taken: row.kind };
    }
  }
  const row = userRow(environment.id, id, user, rows, now);
  try {
    await db.insert(users, row);
  } catch (error) {
    if (!isDuplicate(error, 'external_id')) throw error;
    await removeIdentities(context, inserted);
    return { taken: 'externalId' };
  }
  const nameRows = nameStatement([row]);
  if (nameRows) await db.defer(nameRows);
  emit('auth.user.created', { subjectId: id, personId: id, data: { user: presentUser(row, now) } }, environment);
  return { user: row, identities: rows };
}

async function removeIdentities({ db }: Context, ids: readonly string[]): Promise<void> {
  for (const id of ids) await db.remove(identities, { id });
}

/** The row of a new user. @param rows the user's identities */
export function userRow(
  environmentId: string,
  id: string,
  user: NewUser,
  rows: readonly IdentityRow[],
  now: Date,
): UserRow {
  const email = rows.find(({ kind, isPrimary }) => kind === 'email' && isPrimary);
  const phone = rows.find(({ kind, isPrimary }) => kind === 'phone' && isPrimary);
  const name = user.name ?? null;
  return {
    id,
    environmentId,
    email: email?.value ?? null,
    emailKey: email?.identityKey ?? null,
    emailVerified: Boolean(email?.verifiedAt),
    phone: phone?.value ?? null,
    phoneVerified: Boolean(phone?.verifiedAt),
    name,
    nameKey: name === null ? null : searchKey(name),
    pictureUrl: user.pictureUrl ?? null,
    locale: user.locale ?? null,
    externalId: user.externalId ?? null,
    userMetadata: '{}',
    metadata: JSON.stringify(user.metadata ?? {}),
    privateMetadata: JSON.stringify(user.privateMetadata ?? {}),
    bannedAt: null,
    bannedUntil: null,
    banReason: null,
    lastSignInAt: null,
    createdAt: now,
    updatedAt: now,
  };
}
