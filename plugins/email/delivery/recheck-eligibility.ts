import type { Services } from '#core/kernel/services.js';
import { recipients as audience } from '#plugins/audience/ports.js';
import { reachable, type Reach } from '../messages/eligibility.js';
import type { LoadedMessage } from './load.js';

/** What was learnt as a message is about to leave. */
export interface Asked {
  /** Recipients who may not get it any more. */
  blocked: Reach[];
  /** Headers that only now can be written. */
  headers: Record<string, string>;
}

/**
 * Asks again who may get a message: an opt-out that committed before it leaves holds (reliability.md, promise 4). System mail - codes,
 * links, invitations - is asked for by whoever gets it, and no suppression stands in its way.
 */
export async function askAgain(
  services: Services,
  { message, environment, recipients }: LoadedMessage,
): Promise<Asked> {
  const { products } = services.deployment;
  const nothingToAsk = environment.kind === 'live' && !products.includes('audience');
  if (message.isSystem || nothingToAsk) return { blocked: [], headers: {} };
  const open = recipients.filter(({ status }) => status === 'queued').map(({ address }) => address);
  return services.transaction('Email delivery', async (context) => {
    const reach = await reachable(context, environment, message.topic, open);
    const blocked = reach.filter((each) => each.blocked !== null);
    const contactId = reach.find((each) => each.contactId !== null)?.contactId;
    if (message.topic === null || contactId == null) return { blocked, headers: {} };
    const url = context.use(audience).preferencesUrl(contactId, { channel: 'email', topic: message.topic });
    return { blocked, headers: unsubscribeHeaders(url) };
  });
}

/** One click ends the subscription, in the reader's own mail program (RFC 2369 §3.2, RFC 8058 §3.1). */
const unsubscribeHeaders = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});
