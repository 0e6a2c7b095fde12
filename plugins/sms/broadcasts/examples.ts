import type { ValueOf } from '#core/kernel/schema/schema.js';
import { examplesAfter } from '#core/messaging/broadcasts/examples.js';
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

export const {
  sending: exampleSending,
  held: exampleHeld,
  closed: exampleClosed,
} = examplesAfter(exampleBroadcast, 2, { recipients: 800, queued: 600, sending: 8, sent: 190, suppressed: 2 });

export const exampleReadiness: ValueOf<typeof BroadcastReadiness> = {
  ok: true,
  problems: [],
  audience: { eligible: 800, noConsent: 120, suppressed: 6, exact: true },
};
