import { isDuplicate, RetryTransaction } from '#core/runtime/database/errors.js';
import { newId } from '#core/runtime/id.js';
import type { Channel, NewSuppression } from '../ports.js';
import { suppressions, type SuppressionRow } from '../tables/suppression.js';
import { addressDigest, addressKey } from '../contacts/address.js';
import { contactBehind } from './find-by-address.js';
import type { Context } from '#core/kernel/context.js';
import { presentSuppression } from './present.js';

/** The suppressions of an address that stand, on its channel. */
export async function standingOf(
  { db, vault }: Pick<Context, 'db' | 'vault'>,
  environmentId: string,
  channel: Channel,
  address: string,
): Promise<SuppressionRow[]> {
  const digest = addressDigest(vault, environmentId, channel, addressKey(channel, address));
  return db.find(suppressions, { environmentId, channel, addressDigest: digest, standing: 1 });
}

/**
 * Suppresses an address. Of each reason one stands at a time: racers meet at its unique key, and the second finds the first one's.
 * @returns the suppression that stands, and whether this call made it
 */
export async function suppress(
  scene: Context<'audience.suppression.added'>,
  environmentId: string,
  { channel, address, reason, note }: NewSuppression,
): Promise<{ row: SuppressionRow; added: boolean }> {
  const { db, vault, clock, emit } = scene;
  const key = addressKey(channel, address);
  const row: SuppressionRow = {
    id: newId(),
    environmentId,
    channel,
    address: key,
    addressDigest: addressDigest(vault, environmentId, channel, key),
    reason,
    note,
    standing: 1,
    createdAt: clock.now(),
    liftedAt: null,
  };
  try {
    await db.insert(suppressions, row);
  } catch (error) {
    if (!isDuplicate(error, 'standing')) throw error;
    const standing = (await standingOf(scene, environmentId, channel, address)).find((each) => each.reason === reason);
    if (standing) return { row: standing, added: false };
    throw new RetryTransaction('The suppression was lifted meanwhile.', { cause: error });
  }
  const personId = await contactBehind(db, row);
  const data = { suppression: presentSuppression(row) };
  emit('audience.suppression.added', { subjectId: row.id, data, ...(personId === null ? {} : { personId }) });
  return { row, added: true };
}

/** Lifts a suppression. @returns it as it is now; null when a racer has lifted it */
export async function lift(
  scene: Context<'audience.suppression.lifted'>,
  row: SuppressionRow,
): Promise<SuppressionRow | null> {
  const { db, clock, emit } = scene;
  const lifted: SuppressionRow = { ...row, standing: null, liftedAt: clock.now() };
  const changed = await db.update(
    suppressions,
    { id: row.id, standing: 1 },
    { standing: lifted.standing, liftedAt: lifted.liftedAt },
  );
  if (changed === 0) return null;
  const personId = await contactBehind(db, row);
  const data = { suppression: presentSuppression(lifted) };
  emit('audience.suppression.lifted', { subjectId: row.id, data, ...(personId === null ? {} : { personId }) });
  return lifted;
}
