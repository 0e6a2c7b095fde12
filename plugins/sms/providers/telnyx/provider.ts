import type { TelnyxAddress } from '../../deployment/addresses.js';
import { joined } from '../submission-tasks.js';
import type { ProviderServices, SmsProvider } from '../provider.js';
import { signedEvent, statusOf, textOf } from './callbacks.js';
import { telnyxClient } from './client.js';
import { advanceRegistration, joinCampaign } from './registration.js';
import { buyNumber, findNumber, releaseNumber, searchNumbers } from './numbers.js';
import { findTexts, sendText } from './send.js';

/**
 * Telnyx, through its REST API. Received texts are sent to the address that its messaging profile names: <base
 * URL>/v1/sms/inbound.
 */
export function telnyxProvider({ http, clock }: ProviderServices, address: TelnyxAddress): SmsProvider {
  const client = telnyxClient(http, address);
  return {
    name: 'telnyx',
    label: 'Telnyx',
    isReal: true,
    send: (text) => sendText(client, address, text),
    findTexts: (text, since) => findTexts(client, text, since),
    // Detail records may appear a little after their texts; status callbacks name their texts earlier.
    findsWithinMs: 2 * 60_000,
    parseStatus: (request) => statusOf(signedEvent(request, address, clock.now())),
    parseInbound: (request) => textOf(signedEvent(request, address, clock.now())),
    taken: { status: 200 },
    searchNumbers: (wanted) => searchNumbers(client, wanted),
    buyNumber: (number) => buyNumber(client, address, number),
    findNumber: (number) => findNumber(client, number),
    releaseNumber: (id) => releaseNumber(client, id),
    registration: {
      advance: (submission) => advanceRegistration(client, submission),
      addNumber: async (refs, id) => joined(await joinCampaign(client, refs, id)),
    },
  };
}
