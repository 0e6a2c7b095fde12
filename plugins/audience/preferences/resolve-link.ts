import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { findEnvironment } from '#core/kernel/environment/environment.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { contacts, type ContactRow } from '../tables/contact.js';
import type { MessageTopic } from '../ports.js';
import { openLink } from './token.js';

/** A preferences link with its contact. */
export interface ResolvedLink {
  contact: ContactRow;
  environment: Environment;
  /** The message that contains the link; null for one made by audience.preferences.link. */
  message: MessageTopic | null;
  /** Null for a link that never expires. */
  expiresAt: Date | null;
}

/** The link that a token represents, expired or not; null if the token is invalid or the contact no longer exists. */
export async function resolveLink(
  { db, vault }: Pick<Context, 'db' | 'vault'>,
  token: string,
): Promise<ResolvedLink | null> {
  const link = openLink(vault, token);
  const contact = link && (await db.findOne(contacts, { id: link.contactId }));
  const environment = contact && (await findEnvironment(db, contact.environmentId));
  return environment && { contact, environment, message: link.message, expiresAt: link.expiresAt };
}

/**
 * The link that a token represents.
 * @throws not_found, both for an invalid token and for a contact that no longer exists; link_expired
 */
export async function requireLink(
  context: Pick<Context<never, 'link_expired'>, 'db' | 'vault' | 'clock' | 'fail'>,
  token: string,
): Promise<ResolvedLink> {
  const link = await resolveLink(context, token);
  if (!link) throw refusalOf.not_found({ thing: 'preferences link', lookup: 'the link in the newest message' });
  const { expiresAt } = link;
  if (expiresAt && expiresAt <= context.clock.now()) {
    const expiredAt = expiresAt.toISOString();
    throw context.fail.link_expired({ expiredAt, details: { expiredAt } });
  }
  return link;
}
