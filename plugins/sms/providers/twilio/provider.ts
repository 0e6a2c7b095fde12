import type { TwilioAddress } from '../../deployment/addresses.js';
import { joined } from '../submission-tasks.js';
import type { ProviderServices, SmsProvider } from '../provider.js';
import { signedForm, statusOf, textOf } from './callbacks.js';
import { twilioClient } from './client.js';
import { joinService } from './registration/campaign.js';
import { advanceRegistration } from './registration/advance.js';
import { buyNumber, findNumber, releaseNumber, searchNumbers } from './numbers.js';
import { findTexts, sendText } from './send.js';
import { atOwnShard } from '#core/runtime/shard.js';

/** Twilio, through its REST API. */
export function twilioProvider({ http, deployment }: ProviderServices, address: TwilioAddress): SmsProvider {
  const client = twilioClient(http, address);
  return {
    name: 'twilio',
    label: 'Twilio',
    isReal: true,
    send: (text) => sendText(client, address, text),
    findTexts: (text, since) => findTexts(client, address, text, since),
    findsWithinMs: 30_000,
    parseStatus: (request) => statusOf(signedForm(request, address.authToken), request.query),
    parseInbound: (request) => textOf(signedForm(request, address.authToken)),
    // TwiML that answers nothing.
    taken: { status: 200, body: '<?xml version="1.0" encoding="UTF-8"?><Response/>', type: 'text/xml' },
    searchNumbers: (wanted) => searchNumbers(client, address, wanted),
    buyNumber: (number) => buyNumber(client, address, number, atOwnShard(`${deployment.baseUrl}/v1/sms/inbound`)),
    findNumber: (number) => findNumber(client, address, number),
    releaseNumber: (sid) => releaseNumber(client, address, sid),
    registration: {
      advance: (submission) => advanceRegistration(client, address, submission),
      addNumber: async (refs, sid) => joined(await joinService(client, address, refs, sid)),
    },
  };
}
