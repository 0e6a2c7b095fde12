import type { Session } from '#core/runtime/database/session.js';
import { contacts } from '../tables/contact.js';
import type { SuppressionRow } from '../tables/suppression.js';

/** The contact that has a suppressed address, so that erasing the person finds what was said about it. */
export async function contactBehind(
  db: Session,
  { environmentId, channel, address }: Pick<SuppressionRow, 'environmentId' | 'channel' | 'address'>,
): Promise<string | null> {
  if (address === null) return null;
  const where = channel === 'email' ? { environmentId, emailKey: address } : { environmentId, phone: address };
  return (await db.findOne(contacts, where))?.id ?? null;
}
