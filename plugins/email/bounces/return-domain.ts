import type { Services } from '#core/kernel/services.js';
import { settings } from '../deployment/settings.js';
import type { MessageRow } from '../tables/message.js';

/**
 * Creates the function that finds where the bounces of a message are received.
 * @returns by message the domain of its return paths; undefined if its bounces are sent to the sender's own address
 */
export function returnDomains({
  deployment,
}: Pick<Services, 'deployment'>): (message: Pick<MessageRow, 'environmentId' | 'fromAddress'>) => string | undefined {
  const { smtpUrl, mailReturnHost } = deployment.settingsOf(settings);
  // Mail that is kept in the local mailbox never bounces.
  return () => (smtpUrl === undefined ? undefined : mailReturnHost);
}
