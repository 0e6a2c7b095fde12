import type { PageRequest } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { addressGroup } from '#core/kernel/limits/address-group.js';
import { countAgainstAll } from '#core/kernel/limits/count-against.js';

/** Requests to all billing pages from one address: a PDF and a request to the provider are expensive. */
export const requestsPerAddress = { max: 60, windowSeconds: 60, description: '60 requests per minute per IP' } as const;
/** Forms sent for one invoice or setup, regardless of the sender: each makes a request to the provider. */
export const formsPerSubject = { max: 10, windowSeconds: 600, description: '10 forms in 10 minutes per link' } as const;

/**
 * Counts a request to a billing page.
 * @throws rate_limited
 */
export async function limitRequest({ database, clock }: Services, { request }: PageRequest): Promise<void> {
  const key = `billing pages|${addressGroup(request.ip)}`;
  await count({ database, clock }, { ...requestsPerAddress, key });
}

/**
 * Counts a form that is sent to a billing page.
 * @param subject the id of the invoice or setup
 * @throws rate_limited
 */
export const limitForm = ({ database, clock }: Services, subject: string): Promise<void> =>
  count({ database, clock }, { ...formsPerSubject, key: `billing forms|${subject}` });

async function count(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  limit: { key: string; max: number; windowSeconds: number; description: string },
): Promise<void> {
  const reached = await database.transaction((db) => countAgainstAll(db, [{ ...limit, now: clock.now() }]));
  if (reached) throw refusalOf.rate_limited({ limit: limit.description, seconds: reached.seconds });
}
