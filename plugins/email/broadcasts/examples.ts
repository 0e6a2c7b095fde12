import type { ValueOf } from '#core/kernel/schema/schema.js';
import { exampleDraft, examplesAfter } from '#core/messaging/broadcasts/examples.js';
import type { Broadcast, BroadcastReadiness } from './resources.js';

export const exampleBroadcast: ValueOf<typeof Broadcast> = {
  ...exampleDraft({
    id: '01890a5d-ac96-774b-bcce-b302099a8400',
    name: 'November news',
    template: 'news',
    topic: 'news',
    variables: { month: 'November' },
  }),
  from: 'hello@shop.mail.example.com',
  subject: null,
};

export const {
  sending: exampleSending,
  held: exampleHeld,
  closed: exampleClosed,
} = examplesAfter(exampleBroadcast, 3, { recipients: 1200, queued: 900, sending: 12, sent: 286, suppressed: 2 });

export const exampleReadiness: ValueOf<typeof BroadcastReadiness> = {
  ok: true,
  problems: [],
  audience: {
    eligible: 1200,
    noConsent: 310,
    optedOut: 30,
    suppressed: 14,
    exact: true,
    countedAt: '2026-11-10T09:00:00.000Z',
  },
};
