import type { Context } from '#core/kernel/context.js';
import { isDuplicate, RetryTransaction } from '#core/runtime/database/errors.js';
import type { Session } from '#core/runtime/database/session.js';
import { newId } from '#core/runtime/id.js';
import { addressDigests, addressKey, addressKeys } from '../contacts/address.js';
import type { Channel, NewSuppression } from '../ports.js';
import { contacts } from '../tables/contact.js';
import { suppressions, type SuppressionRow } from '../tables/suppression.js';
import { presentSuppression } from './present.js';

/** The active suppressions of an address on its channel. */
export async function activeSuppressions(
  { db, vault }: Pick<Context, 'db' | 'vault'>,
  environmentId: string,
  channel: Channel,
  address: string,
): Promise<SuppressionRow[]> {
  const found: SuppressionRow[] = [];
  for (const digest of addressDigests(vault, environmentId, channel, address))
    found.push(...(await db.find(suppressions, { environmentId, channel, addressDigest: digest, active: 1 })));
  return found;
}

/**
 * The id of the contact that has a suppressed address, so that erasing the person finds records that name it; null if
 * there is none.
 */
export async function contactIdOf(
  db: Session,
  { environmentId, channel, address }: Pick<SuppressionRow, 'environmentId' | 'channel' | 'address'>,
): Promise<string | null> {
  if (address === null) return null;
  for (const key of addressKeys(channel, address)) {
    const where = channel === 'email' ? { environmentId, emailKey: key } : { environmentId, phone: key };
    const found = await db.findOne(contacts, where);
    if (found) return found.id;
  }
  return null;
}

/**
 * Suppresses an address. An address has at most one active suppression of each reason: if calls are concurrent, the
 * unique key allows one to insert, and the others return its row.
 * @returns the active suppression, and whether this call added it
 */
export async function addSuppression(
  context: Context<'audience.suppression.added'>,
  environmentId: string,
  { channel, address, reason, note }: NewSuppression,
): Promise<{ row: SuppressionRow; added: boolean }> {
  const key = addressKey(channel, address);
  const [digest, ...others] = addressDigests(context.vault, environmentId, channel, address);
  if (!digest) throw new Error('An address has a digest.');
  // A number whose suppression was stored by its other form.
  for (const each of others) {
    const row = await context.db.findOne(suppressions, {
      environmentId,
      channel,
      addressDigest: each,
      reason,
      active: 1,
    });
    if (row) return { row, added: false };
  }
  return addSuppressionOf(context, environmentId, { channel, address: key, addressDigest: digest, reason, note });
}

/** The same for an address of which perhaps only the digest is known. */
export async function addSuppressionOf(
  context: Context<'audience.suppression.added'>,
  environmentId: string,
  suppression: Pick<SuppressionRow, 'channel' | 'address' | 'addressDigest' | 'reason' | 'note'>,
): Promise<{ row: SuppressionRow; added: boolean }> {
  const { db, clock, emit } = context;
  const { channel, addressDigest: digest, reason } = suppression;
  const row: SuppressionRow = {
    ...suppression,
    id: newId(),
    environmentId,
    active: 1,
    createdAt: clock.now(),
    liftedAt: null,
  };
  try {
    await db.insert(suppressions, row);
  } catch (error) {
    if (!isDuplicate(error, 'active')) throw error;
    const existing = await db.findOne(suppressions, {
      environmentId,
      channel,
      addressDigest: digest,
      reason,
      active: 1,
    });
    if (existing) return { row: existing, added: false };
    throw new RetryTransaction('The existing suppression was lifted in the meantime.', { cause: error });
  }
  const personId = await contactIdOf(db, row);
  const data = { suppression: presentSuppression(row) };
  emit('audience.suppression.added', { subjectId: row.id, data, ...(personId === null ? {} : { personId }) });
  return { row, added: true };
}

/** Lifts a suppression. @returns the lifted suppression; null if another call lifted it first */
export async function liftSuppression(
  { db, clock, emit }: Context<'audience.suppression.lifted'>,
  row: SuppressionRow,
): Promise<SuppressionRow | null> {
  const lifted: SuppressionRow = { ...row, active: null, liftedAt: clock.now() };
  const changed = await db.update(suppressions, { id: row.id, active: 1 }, { active: null, liftedAt: lifted.liftedAt });
  if (changed === 0) return null;
  const personId = await contactIdOf(db, row);
  const data = { suppression: presentSuppression(lifted) };
  emit('audience.suppression.lifted', { subjectId: row.id, data, ...(personId === null ? {} : { personId }) });
  return lifted;
}
