import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { findEnvironment } from '#core/kernel/environment/environment.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import type { ErrorMakers, SvcError } from '#core/kernel/errors/errors.js';
import type { MessageTopic } from '../ports.js';
import { contacts, type ContactRow } from '../tables/contact.js';
import { openLink } from './token.js';

/** Whose preferences a token opens. */
export interface Holder {
  contact: ContactRow;
  environment: Environment;
  message: MessageTopic | null;
  expiresAt: Date | null;
}

/** The person behind a token, expired or not; null where it opens nothing, or the contact is gone. */
export async function holderOf({ db, vault }: Pick<Context, 'db' | 'vault'>, token: string): Promise<Holder | null> {
  const link = openLink(vault, token);
  const contact = link && (await db.findOne(contacts, { id: link.contactId }));
  const environment = contact && (await findEnvironment(db, contact.environmentId));
  return environment && { contact, environment, message: link.message, expiresAt: link.expiresAt };
}

/**
 * The same, for those who must get in.
 * @throws not_found, alike for a forged token and for a contact that is gone; link_expired
 */
export async function mustHold(
  context: Pick<Context, 'db' | 'vault' | 'clock'>,
  token: string,
  fail: ErrorMakers<'link_expired', SvcError>,
): Promise<Holder> {
  const holder = await holderOf(context, token);
  if (!holder) throw refusalOf.not_found({ thing: 'preferences link', lookup: 'the link in the newest message' });
  const { expiresAt } = holder;
  if (expiresAt && expiresAt <= context.clock.now()) {
    const expiredAt = expiresAt.toISOString();
    throw fail.link_expired({ expiredAt, details: { expiredAt } });
  }
  return holder;
}
