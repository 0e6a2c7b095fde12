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
 * One page of an environment's suppressions, newest first, lifted ones included. Addresses are found by their digest: so are those of
 * people who were erased since.
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
  const also = (column: string, name: string, value: SqlValue): void =>
    void query.andWhere(`suppression.${column} = :${name}`, { [name]: value });
  const reached = (on: Channel, address: string): void => {
    also('channel', `${on}_channel`, Buffer.from(on));
    also('address_digest', `${on}_digest`, addressDigest(vault, environmentId, on, addressKey(on, address)));
  };
  if (channel !== undefined) also('channel', 'channel', Buffer.from(channel));
  if (reason !== undefined) also('reason', 'reason', Buffer.from(reason));
  if (email !== undefined) reached('email', email);
  if (phone !== undefined) reached('sms', phone);
  return paged(query, 'suppression', request);
}
