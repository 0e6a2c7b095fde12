import { paged, type PageRequest } from '#core/kernel/schema/paging.js';
import type { SqlValue } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import type { Channel, SuppressionReason } from '../ports.js';
import { suppressions, type SuppressionRow } from '../tables/suppression.js';
import { addressDigest, addressKey } from '../contacts/address.js';
import type { Context } from '#core/kernel/context.js';

export interface SuppressionFilter {
  channel?: Channel | undefined;
  reason?: SuppressionReason | undefined;
  email?: string | undefined;
  phone?: string | undefined;
}

/**
 * One page of an environment's suppressions, newest first, including lifted ones. Addresses are found by their digests, so those of erased
 * people are found too.
 */
export function suppressionPage(
  { db, vault }: Pick<Context, 'db' | 'vault'>,
  environmentId: string,
  { channel, reason, email, phone }: SuppressionFilter,
  request: PageRequest,
): Promise<{ rows: SuppressionRow[]; next: string | null }> {
  const query = db
    .select(suppressions, 'suppression')
    .where('suppression.environment_id = :environment', { environment: idBytes(environmentId) });
  const filterBy = (column: string, name: string, value: SqlValue): void =>
    void query.andWhere(`suppression.${column} = :${name}`, { [name]: value });
  const filterByAddress = (on: Channel, address: string): void => {
    filterBy('channel', `${on}_channel`, Buffer.from(on));
    filterBy('address_digest', `${on}_digest`, addressDigest(vault, environmentId, on, addressKey(on, address)));
  };
  if (channel !== undefined) filterBy('channel', 'channel', Buffer.from(channel));
  if (reason !== undefined) filterBy('reason', 'reason', Buffer.from(reason));
  if (email !== undefined) filterByAddress('email', email);
  if (phone !== undefined) filterByAddress('sms', phone);
  return paged(query, 'suppression', request);
}
