import type { ValueOf } from '#core/kernel/schema/schema.js';
import { exampleDraft, examplesAfter } from '#core/messaging/broadcasts/examples.js';
import type { BroadcastReadiness } from '#core/messaging/broadcasts/resources.js';
import type { SmsBroadcast } from './resources.js';

export const exampleBroadcast: ValueOf<typeof SmsBroadcast> = exampleDraft({
  id: '01890a5d-ac96-774b-bcce-b302099a9500',
  name: 'November sale',
  template: 'sale',
  topic: 'offers',
  variables: { percent: 20 },
});

export const {
  sending: exampleSending,
  held: exampleHeld,
  closed: exampleClosed,
} = examplesAfter(exampleBroadcast, 2, { recipients: 800, queued: 600, sending: 8, sent: 190, suppressed: 2 });

export const exampleReadiness: ValueOf<typeof BroadcastReadiness> = {
  ok: true,
  problems: [],
  audience: {
    eligible: 800,
    noConsent: 120,
    optedOut: 20,
    suppressed: 6,
    exact: true,
    countedAt: '2026-11-10T09:00:00.000Z',
  },
};
