import type { UserCaller } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { identities, type IdentityRow } from '../tables/identity.js';

/**
 * An identity of the signed-in user.
 * @throws not_found for another user's identity, exactly as for one that does not exist
 */
export async function findOwnIdentity(
  { db, caller, fail }: Pick<Context, 'db' | 'fail'> & { readonly caller: UserCaller },
  id: string,
): Promise<IdentityRow> {
  const row = await db.findOne(identities, { id, environmentId: caller.environment.id, userId: caller.user.userId });
  if (!row) throw fail.not_found({ ...identities.notFound });
  return row;
}

/** An identity in a sentence: an address, a number, or the name of a provider. */
export const nameOf = ({ kind, value, provider }: Pick<IdentityRow, 'kind' | 'value' | 'provider'>): string =>
  kind === 'oauth' ? (provider ?? value) : value;
