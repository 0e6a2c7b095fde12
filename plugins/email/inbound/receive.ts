import { turnsOf } from '#core/kernel/caller/share.js';
import type { Services } from '#core/kernel/services.js';
import { crashPoint } from '#core/runtime/fault.js';
import { createDnsResolver } from '../dns-resolver.js';
import { settings } from '../deployment/settings.js';
import type { MailClient } from './authenticate.js';
import { parseInThread } from './parse/mail-pool.js';
import { refuse } from './refuse.js';
import type { Refusal } from './resources.js';
import { arrivalDigests, findKnown, isRepeat, storeArrival, type Arrival, type Stored } from './store.js';

/** A message that arrived, with the data about its transport. */
export interface Delivery extends Arrival {
  client: MailClient;
}

export type Received =
  | { kind: 'stored'; stored: Stored[] }
  | { kind: 'refused'; reason: Refusal; problem: string }
  /** It has neither a From header nor an envelope sender. */
  | { kind: 'no_sender' };

/**
 * Receives a message: parses it, checks whether it is from the sender that it names, and stores it. When it returns,
 * the returned data is committed. A message that arrives again is stored once.
 * @throws ThreadQueueFull, ThreadStarved or the database's error: the message was not accepted, and may be sent again
 */
export async function receiveMail(services: Services, delivery: Delivery): Promise<Received> {
  const { database, clock, deployment, transaction } = services;
  const digests = arrivalDigests(delivery);
  const known = (await findKnown(database, delivery, digests)).filter((each) => isRepeat(each, clock.now()));
  if (known.length === digests.size) return { kind: 'stored', stored: known };
  const owner = turnsOf(delivery.environment);
  const mail = await parseInThread(owner, delivery.raw);
  if ('refusal' in mail) {
    const { envelopeFrom = '' } = delivery;
    for (const envelopeTo of delivery.recipients)
      await refuse(services, delivery.environment, { envelopeFrom, envelopeTo, reason: mail.refusal });
    return { kind: 'refused', reason: mail.refusal, problem: mail.problem };
  }
  if (mail.from === null && (delivery.envelopeFrom ?? '') === '') return { kind: 'no_sender' };
  const lookup = createDnsResolver(deployment.settingsOf(settings).dnsServers);
  // Imported here, so that a process that receives no mail never loads the code that checks it.
  const { authenticate } = await import('./authenticate.js');
  const verdicts = await authenticate(lookup, {
    owner,
    raw: delivery.raw,
    mail,
    envelopeFrom: delivery.envelopeFrom ?? mail.from ?? '',
    client: delivery.client,
  });
  crashPoint('inbound.store.before');
  const stored = await transaction('Inbound mail', async (context) => {
    context.actIn(delivery.environment);
    return storeArrival(context, delivery, { mail, verdicts, digests });
  });
  crashPoint('inbound.store.after');
  return { kind: 'stored', stored };
}
