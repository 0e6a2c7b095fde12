import { updateTime } from '#core/kernel/audit/unchanged.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { SvcError } from '#core/kernel/errors/errors.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import type { PropertyChange, PropertyOutcome } from '../ports.js';
import type { ContactRow } from '../tables/contact.js';
import { applyChanges, normalizeChanges } from './changes.js';
import { lockContacts } from './find.js';
import { presentContact } from './present.js';
import { storeContacts } from './store.js';

/**
 * Sets or removes properties of contacts; several changes of one contact are applied in order. The contacts are locked
 * and written in one round trip, and each change has its event.
 * @returns the result of each change, in their order
 */
export async function setProperties(
  { db, clock, vault, emit }: Context<'audience.contact.updated'>,
  environment: Environment,
  changes: readonly PropertyChange[],
): Promise<PropertyOutcome[]> {
  const ids = [...new Set(changes.map(({ contactId }) => contactId))];
  const locked = (await lockContacts(db, ids)).filter((row) => row.environmentId === environment.id);
  const before = new Map(locked.map((row) => [row.id, row]));
  const current = new Map(before);
  const outcomes = changes.map((change): PropertyOutcome => {
    const row = current.get(change.contactId);
    if (!row) return 'no_contact';
    const changed = changedBy(row, change, vault);
    if (!changed) return 'refused';
    if (changed.properties === row.properties) return 'unchanged';
    const after = { ...changed, updatedAt: updateTime(row, clock.now()) };
    current.set(row.id, after);
    const data = { contact: presentContact(after) };
    const origin = { lane: 'bulk', activityId: change.activityId } as const;
    emit('audience.contact.updated', { subjectId: row.id, personId: row.id, data, ...origin }, environment);
    return 'set';
  });
  const writes = [...current.values()].flatMap((after) => {
    const row = before.get(after.id);
    return row && row !== after ? [{ before: row, after }] : [];
  });
  if (writes.length > 0) await storeContacts(db, writes);
  return outcomes;
}

/** The contact after a change; null if it would exceed a limit of contacts. */
function changedBy(row: ContactRow, { key, value }: PropertyChange, vault: Vault): ContactRow | null {
  try {
    return applyChanges(row, normalizeChanges({ properties: { [key]: value } }), vault);
  } catch (error) {
    if (error instanceof SvcError && error.code === 'invalid_input') return null;
    throw error;
  }
}
