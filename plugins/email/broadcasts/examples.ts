import type { ValueOf } from '#core/kernel/schema/schema.js';
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

const noCounts = {
  recipients: 0,
  queued: 0,
  held: 0,
  sending: 0,
  sent: 0,
  failed: 0,
  suppressed: 0,
  cancelled: 0,
  bounced: 0,
};

/** The example while it is being sent. */
export const exampleSending: ValueOf<typeof Broadcast> = {
  ...exampleBroadcast,
  templateVersion: 3,
  status: 'sending',
  counts: { ...noCounts, recipients: 1200, queued: 900, sending: 12, sent: 286, suppressed: 2 },
  sentAt: '2026-11-20T09:31:00.000Z',
  updatedAt: '2026-11-20T09:31:00.000Z',
};

export const exampleHeld: ValueOf<typeof Broadcast> = {
  ...exampleSending,
  status: 'held',
  holdReason: 'paused',
  counts: { ...noCounts, recipients: 1200, held: 912, sent: 286, suppressed: 2 },
};

export const exampleClosed: ValueOf<typeof Broadcast> = {
  ...exampleSending,
  status: 'closed',
  counts: { ...noCounts, recipients: 1200, cancelled: 912, sent: 286, suppressed: 2 },
};

export const exampleReadiness: ValueOf<typeof BroadcastReadiness> = {
  ok: true,
  problems: [],
  audience: { eligible: 1200, noConsent: 310, suppressed: 14, exact: true },
};
