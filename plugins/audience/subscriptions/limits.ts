import { refusalOf } from '#core/kernel/errors/common.js';
import type { Services } from '#core/kernel/services.js';
import { addressGroup } from '#core/kernel/limits/address-group.js';
import { countAgainstAll } from '#core/kernel/limits/count-against.js';
import { recipientKey } from '#core/kernel/schema/recipient-key.js';

type Counting = Pick<Services, 'database' | 'clock'>;

/** Requests to the pages of all subscribe forms, from one IP address. */
const requests = { max: 120, windowSeconds: 600, description: '120 requests per IP address in 10 minutes' } as const;
/** Forms that one IP address sends. */
const formsByVisitor = { max: 20, windowSeconds: 600, description: '20 forms per IP address in 10 minutes' } as const;
/** Forms with one mailbox, whoever sends them: each may send a mail there. */
const formsByAddress = { max: 5, windowSeconds: 86_400, description: '5 forms per email address and day' } as const;

/** Counts a request to a page of a subscribe form. @throws rate_limited */
export const limitRequest = (counting: Counting, ip: string): Promise<void> =>
  count(counting, [{ ...requests, key: `subscribe pages|${addressGroup(ip)}` }]);

/**
 * Counts a form with an email address, whatever svc knows about the address.
 * @throws rate_limited
 */
export const limitForm = (counting: Counting, environmentId: string, ip: string, email: string): Promise<void> =>
  count(counting, [
    { ...formsByVisitor, key: `subscribe forms|${environmentId}|${addressGroup(ip)}` },
    { ...formsByAddress, key: `subscribe address|${environmentId}|${recipientKey(email)}` },
  ]);

async function count(
  { database, clock }: Counting,
  limits: readonly { key: string; max: number; windowSeconds: number; description: string }[],
): Promise<void> {
  const now = clock.now();
  const reached = await database.transaction((db) =>
    countAgainstAll(
      db,
      limits.map((limit) => ({ ...limit, now })),
    ),
  );
  if (reached) throw refusalOf.rate_limited({ limit: reached.limit.description, seconds: reached.seconds });
}
