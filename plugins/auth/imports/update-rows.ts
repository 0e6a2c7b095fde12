import { updateTime } from '#core/kernel/audit/unchanged.js';
import { isDeepStrictEqual } from 'node:util';
import { searchKey } from '../search/key.js';
import type { IdentityRow } from '../tables/identity.js';
import type { UserRow } from '../tables/user.js';
import { mergeMetadata } from '../users/metadata.js';
import { identityRow } from './create-rows.js';
import type { ExistingUsers } from './existing.js';
import { identityName, type ImportRow } from './row.js';

/** What a row changes about an existing user: never the password, TOTP or what is proven. */
export interface ChangedRows {
  readonly before: UserRow;
  readonly after: UserRow;
  /** New addresses and numbers of the user. */
  readonly added: readonly IdentityRow[];
}

/**
 * The changes of a matched user: the name, metadata merged key by key, an external id if there is none, and addresses
 * and numbers that the user does not have yet. If a row was matched by an address that it does not vouch for, they
 * count as unproven: the author of the row may not own the address.
 * @returns undefined if nothing changes
 * @throws invalid_input if the merged metadata is too large
 */
export function changedRows(
  row: ImportRow,
  user: UserRow,
  existing: ExistingUsers,
  now: Date,
): ChangedRows | undefined {
  const byExternalId = row.externalId !== null && row.externalId === user.externalId;
  const vouched = byExternalId || row.identities.some(({ kind, verified }) => kind === 'email' && verified);
  const added = row.identities
    .filter((identity) => !existing.identities.has(identityName(identity)))
    .map((identity) => {
      const verified = identity.verified && vouched;
      const hasOne = identity.kind === 'email' ? user.email !== null : user.phone !== null;
      return identityRow(user, { ...identity, verified }, now, now, !hasOne);
    });
  const [email, phone] = ['email', 'phone'].map((kind) => added.find((each) => each.kind === kind && each.isPrimary));
  const name = row.name ?? user.name;
  const changed: UserRow = {
    ...user,
    name,
    nameKey: name === null ? null : searchKey(name),
    externalId: user.externalId ?? row.externalId,
    metadata: mergeMetadata('metadata', user.metadata, row.metadata),
    ...(email ? { email: email.value, emailKey: email.identityKey, emailVerified: email.verifiedAt !== null } : {}),
    ...(phone ? { phone: phone.value, phoneVerified: phone.verifiedAt !== null } : {}),
  };
  if (added.length === 0 && isDeepStrictEqual(changed, user)) return undefined;
  return { before: user, after: { ...changed, updatedAt: updateTime(user, now) }, added };
}
