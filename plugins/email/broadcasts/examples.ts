import type { ValueOf } from '#core/kernel/schema/schema.js';
import { examplesAfter } from '#core/messaging/broadcasts/examples.js';
import type { Broadcast, BroadcastReadiness } from './resources.js';

export const exampleBroadcast: ValueOf<typeof Broadcast> = {
  id: '01890a5d-ac96-774b-bcce-b302099a8400',
  name: 'November news',
  template: 'news',
  templateVersion: null,
  from: 'hello@shop.mail.example.com',
  topic: 'news',
  subject: null,
  segmentId: null,
  variables: { month: 'November' },
  scheduledAt: null,
  status: 'draft',
  holdReason: null,
  counts: null,
  sentAt: null,
  completedAt: null,
  createdAt: '2026-11-20T09:30:00.000Z',
  updatedAt: '2026-11-20T09:30:00.000Z',
};

export const {
  sending: exampleSending,
  held: exampleHeld,
  closed: exampleClosed,
} = examplesAfter(exampleBroadcast, 3, { recipients: 1200, queued: 900, sending: 12, sent: 286, suppressed: 2 });

export const exampleReadiness: ValueOf<typeof BroadcastReadiness> = {
  ok: true,
  problems: [],
  audience: { eligible: 1200, noConsent: 310, suppressed: 14, exact: true },
};
