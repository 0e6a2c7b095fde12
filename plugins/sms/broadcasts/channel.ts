import type { ChannelBroadcasts } from '#core/messaging/broadcasts/channel.js';
import type { PresentedBroadcast } from '#core/messaging/broadcasts/present.js';
import { requireGoodStanding } from '#plugins/billing/ports.js';
import type { BroadcastRow } from '../tables/broadcast.js';
import type { MessageRow } from '../tables/message.js';
import { exampleBroadcast, exampleClosed, exampleHeld, exampleReadiness, exampleSending } from './examples.js';
import { smsBroadcasts } from './kind.js';
import { smsPresenter } from './present.js';
import { checkCap, shownReadiness } from './readiness.js';
import { SmsBroadcast } from './resources.js';

/** The broadcasts of sms. */
export const broadcastsOfSms: ChannelBroadcasts<BroadcastRow, MessageRow, PresentedBroadcast> = {
  kind: smsBroadcasts,
  resource: SmsBroadcast,
  presenter: smsPresenter,
  examples: {
    draft: exampleBroadcast,
    sending: exampleSending,
    held: exampleHeld,
    closed: exampleClosed,
    readiness: exampleReadiness,
  },
  keywords: 'campaign',
  shownReadiness,
  checkCap,
  requireGoodStanding,
};
