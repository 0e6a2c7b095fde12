import { updateTime } from '#core/kernel/audit/unchanged.js';
import { changesBetween } from '#core/kernel/audit/changes.js';
import type { AuditEntry, Change, Context } from '#core/kernel/context.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import { jsonRecord } from '#core/runtime/database/json.js';
import { searchKey } from '../search/key.js';
import { requireClaimsFit } from '../settings/claim-size.js';
import { loadSettings } from '../settings/load.js';
import { users, type UserRow } from '../tables/user.js';
import { plainName } from '#core/kernel/schema/plain-name.js';
import { normalizeFacts, type UserFacts } from './input.js';
import { mergeMetadata } from './metadata.js';
import { renamedStatement } from './names.js';
import { presentUser } from './resources.js';

/** Changes to a user: an absent field does not change, null removes a fact, and metadata merges key by key. */
interface UserChanges extends UserFacts {
  userMetadata?: Readonly<Record<string, unknown>> | undefined;
  metadata?: Readonly<Record<string, unknown>> | undefined;
  privateMetadata?: Readonly<Record<string, unknown>> | undefined;
}

const fields = [
  'name',
  'pictureUrl',
  'locale',
  'externalId',
  'userMetadata',
  'metadata',
  'privateMetadata',
] as const satisfies readonly (keyof UserChanges)[];

const withObjects = (row: UserRow) => ({
  ...row,
  userMetadata: jsonRecord(row.userMetadata),
  metadata: jsonRecord(row.metadata),
  privateMetadata: jsonRecord(row.privateMetadata),
});

/** The fields of a user that differ. */
const userChanges = (before: UserRow, after: UserRow): Change[] =>
  changesBetween(withObjects(before), withObjects(after), fields);

/** The audit entry of a write to a user. It refers to the user, so that it is erased with them. */
export const userEntry = (userId: string): Pick<AuditEntry, 'subject' | 'personId'> => ({
  subject: { type: 'user', id: userId },
  personId: userId,
});

function applied(before: UserRow, changes: UserChanges): UserRow {
  const { name = before.name, ...facts } = normalizeFacts(changes);
  // A name given by an import or a provider may be sent back unchanged.
  if (name !== null && name !== before.name) plainName('name', name);
  return {
    ...before,
    name,
    nameKey: name === null ? null : searchKey(name),
    pictureUrl: facts.pictureUrl === undefined ? before.pictureUrl : facts.pictureUrl,
    locale: facts.locale === undefined ? before.locale : facts.locale,
    externalId: facts.externalId === undefined ? before.externalId : facts.externalId,
    userMetadata: mergeMetadata('userMetadata', before.userMetadata, changes.userMetadata),
    metadata: mergeMetadata('metadata', before.metadata, changes.metadata),
    privateMetadata: mergeMetadata('privateMetadata', before.privateMetadata, changes.privateMetadata),
  };
}

/**
 * Changes a user whose row the caller has locked, with audit record and event. If nothing changes, neither row nor
 * event is written.
 * @param others what the call has changed elsewhere, for the audit record
 * @returns the updated user
 * @throws invalid_input; a duplicate on the index `external_id` if another user has the external id
 */
export async function updateUser(
  { db, clock, emit, audit }: Context<'auth.user.updated'>,
  environment: Environment,
  before: UserRow,
  given: UserChanges,
  others: readonly Change[] = [],
): Promise<UserRow> {
  const changed = applied(before, given);
  if (changed.metadata !== before.metadata)
    requireClaimsFit((await loadSettings(db, environment.id)).claims, before.metadata, changed.metadata);
  const changes = userChanges(before, changed);
  audit({
    ...userEntry(before.id),
    summary: 'Changed a user.',
    changes: [...changes, ...others],
    unchanged: 'the user already had these values.',
  });
  if (changes.length === 0) return before;
  const now = clock.now();
  const after = { ...changed, updatedAt: updateTime(before, now) };
  const { name, nameKey, pictureUrl, locale, externalId, userMetadata, metadata, privateMetadata, updatedAt } = after;
  await db.update(
    users,
    { id: before.id },
    { name, nameKey, pictureUrl, locale, externalId, userMetadata, metadata, privateMetadata, updatedAt },
  );
  if (after.nameKey !== before.nameKey) {
    await db.defer(renamedStatement(after));
  }
  const data = { user: presentUser(after, now) };
  emit('auth.user.updated', { subjectId: after.id, personId: after.id, data }, environment);
  return after;
}
