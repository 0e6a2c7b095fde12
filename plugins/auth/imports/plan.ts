import type { UserRow } from '../tables/user.js';
import type { ExistingUsers } from './existing.js';
import { identityName, type ImportRow, type Rejection } from './row.js';

/** What will happen to the rows of an import. */
export interface Plan {
  readonly creates: readonly ImportRow[];
  readonly updates: readonly { readonly row: ImportRow; readonly user: UserRow }[];
  readonly rejected: readonly Rejection[];
}

const nouns = { email: 'address', phone: 'number', oauth: 'provider account' } as const;

/**
 * Matches rows with users: by external id, then by an address that a user has proven.
 * @param existing the users and identities that the rows refer to
 */
export function planImport(rows: readonly ImportRow[], existing: ExistingUsers): Plan {
  const creates: ImportRow[] = [];
  const updates: { row: ImportRow; user: UserRow }[] = [];
  const rejected: Rejection[] = [];
  /** The names in earlier rows of the call, each with the index of its row. */
  const claimed = new Map<string, number>();
  for (const row of rows) {
    const user = matchOf(row, existing);
    const names = [
      ...(row.externalId === null ? [] : [`externalId:${row.externalId}`]),
      ...row.identities.map(identityName),
      ...(user ? [`user:${user.id}`] : []),
    ];
    const repeated = names.map((name) => claimed.get(name)).find((index) => index !== undefined);
    const message =
      repeated === undefined
        ? conflictOf(row, user, existing)
        : `Row ${repeated} of this call describes the same user.`;
    if (message !== undefined) {
      rejected.push({ index: row.index, code: 'identity_taken', message });
      continue;
    }
    for (const name of names) claimed.set(name, row.index);
    if (user) updates.push({ row, user });
    else creates.push(row);
  }
  return { creates, updates, rejected };
}

function matchOf({ externalId, identities }: ImportRow, existing: ExistingUsers): UserRow | undefined {
  const byExternalId = externalId === null ? undefined : existing.byExternalId.get(externalId);
  if (byExternalId) return byExternalId;
  for (const identity of identities) {
    const found = existing.identities.get(identityName(identity));
    if (identity.kind === 'email' && found && found.verifiedAt !== null) return existing.byId.get(found.userId);
  }
  return undefined;
}

/** Why the row conflicts with existing users. */
function conflictOf(row: ImportRow, user: UserRow | undefined, existing: ExistingUsers): string | undefined {
  if (user?.externalId && row.externalId !== null && user.externalId !== row.externalId)
    return `The user with this address has a different external id (${user.externalId}).`;
  for (const identity of row.identities) {
    const found = existing.identities.get(identityName(identity));
    if (!found || found.userId === user?.id) continue;
    const unproven =
      !user && found.verifiedAt === null
        ? ', but it is unverified, so the user can only be matched by external id'
        : '';
    return `Another user has this ${nouns[identity.kind]}${unproven}.`;
  }
  return undefined;
}
