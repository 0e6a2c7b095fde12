import { paged, type NextIds, type PageRequest } from '#core/kernel/schema/paging.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import type { Channel, SuppressionReason } from '../ports.js';
import { suppressions, type SuppressionRow } from '../tables/suppression.js';
import { addressDigests } from '../contacts/address.js';
import type { Context } from '#core/kernel/context.js';

export interface SuppressionFilter {
  channel?: Channel | undefined;
  reason?: SuppressionReason | undefined;
  email?: string | undefined;
  phone?: string | undefined;
}

/**
 * One page of an environment's suppressions, newest first, including lifted ones. Addresses are found by their digests,
 * so addresses of erased people are found too.
 */
export function suppressionPage(
  { db, vault }: Pick<Context, 'db' | 'vault'>,
  environmentId: string,
  { channel, reason, email, phone }: SuppressionFilter,
  request: PageRequest,
): Promise<{ rows: SuppressionRow[]; next: string | null }> {
  const own = { environment: idBytes(environmentId) };
  const query = db.select(suppressions, 'suppression').where('suppression.environment_id = :environment', own);
  const addresses = [
    ...(email === undefined ? [] : [{ on: 'email' as const, address: email }]),
    ...(phone === undefined ? [] : [{ on: 'sms' as const, address: phone }]),
  ].map(({ on, address }) => ({
    channel: Buffer.from(on),
    digests: addressDigests(vault, environmentId, on, address),
  }));
  const [address, other] = addresses;
  // A suppression never has both an address and a number.
  if (other) return Promise.resolve({ rows: [], next: null });
  const byReason: Condition[] = reason === undefined ? [] : [['reason', Buffer.from(reason)]];
  const byChannel: Condition[] = channel === undefined ? [] : [['channel', Buffer.from(channel)]];
  const [along, ...rest] = [...byReason, ...byChannel];
  if (along && !address)
    query.where(`suppression.environment_id = :environment AND suppression.${along[0]} = :${along[0]}`, {
      ...own,
      [along[0]]: along[1],
    });
  for (const [column, value] of address ? [...byReason, ...byChannel] : rest)
    query.andWhere(`suppression.${column} = :${column}`, { [column]: value });
  const found = address ? suppressionsOf(db, own.environment, address) : (along?.[0] ?? 'environment');
  return paged(query, 'suppression', found, request);
}

type Condition = readonly [column: 'reason' | 'channel', value: Buffer];

/** The suppressions of one address, which has only a few: the index has them by reason. */
const suppressionsOf =
  (
    db: ReadSession,
    environment: Buffer,
    { channel, digests }: { channel: Buffer; digests: readonly Buffer[] },
  ): NextIds =>
  async (before, count) => {
    const rows = await db.rows<{ id: Buffer }>(
      `SELECT id FROM audience_suppression FORCE INDEX (active)
       WHERE environment_id = ? AND channel = ? AND address_digest IN (?) ${before ? 'AND id < ?' : ''} ORDER BY id DESC LIMIT ?`,
      [environment, channel, digests, ...(before ? [before] : []), count],
    );
    return rows.map(({ id }) => id);
  };
