import type { ChannelBroadcasts } from '#core/messaging/broadcasts/channel.js';
import { requireGoodStanding } from '#plugins/billing/ports.js';
import type { BroadcastRow } from '../tables/broadcast.js';
import type { MessageRow } from '../tables/message.js';
import { exampleBroadcast, exampleClosed, exampleHeld, exampleReadiness, exampleSending } from './examples.js';
import { emailBroadcasts } from './kind.js';
import { broadcastPresenterOfEmail, type Presented } from './present.js';
import { checkCap, shownReadiness } from './readiness.js';
import { Broadcast } from './resources.js';

/** The broadcasts of email. */
export const broadcastsOfEmail: ChannelBroadcasts<BroadcastRow, MessageRow, Presented> = {
  kind: emailBroadcasts,
  resource: Broadcast,
  presenter: broadcastPresenterOfEmail,
  examples: {
    draft: exampleBroadcast,
    sending: exampleSending,
    held: exampleHeld,
    closed: exampleClosed,
    readiness: exampleReadiness,
  },
  keywords: 'newsletter campaign',
  shownReadiness,
  checkCap,
  requireGoodStanding,
};
