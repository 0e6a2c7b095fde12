import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { BroadcastReadiness } from '#core/messaging/broadcasts/resources.js';
import type { SmsBroadcast } from './resources.js';

export const exampleBroadcast: ValueOf<typeof SmsBroadcast> = {
  id: '01890a5d-ac96-774b-bcce-b302099a9500',
  name: 'November sale',
  template: 'sale',
  templateVersion: null,
  topic: 'offers',
  segmentId: null,
  variables: { percent: 20 },
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
export const exampleSending: ValueOf<typeof SmsBroadcast> = {
  ...exampleBroadcast,
  templateVersion: 2,
  status: 'sending',
  counts: { ...noCounts, recipients: 800, queued: 600, sending: 8, sent: 190, suppressed: 2 },
  sentAt: '2026-11-20T09:31:00.000Z',
  updatedAt: '2026-11-20T09:31:00.000Z',
};

export const exampleHeld: ValueOf<typeof SmsBroadcast> = {
  ...exampleSending,
  status: 'held',
  holdReason: 'paused',
  counts: { ...noCounts, recipients: 800, held: 608, sent: 190, suppressed: 2 },
};

export const exampleClosed: ValueOf<typeof SmsBroadcast> = {
  ...exampleSending,
  status: 'closed',
  counts: { ...noCounts, recipients: 800, cancelled: 608, sent: 190, suppressed: 2 },
};

export const exampleReadiness: ValueOf<typeof BroadcastReadiness> = {
  ok: true,
  problems: [],
  audience: { eligible: 800, noConsent: 120, suppressed: 6, exact: true },
};
