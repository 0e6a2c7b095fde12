import { refusalOf } from '#core/kernel/errors/common.js';
import { scheduledTime } from '#core/kernel/schema/future-date.js';
import { requireVariableSize } from '../input.js';
import type { BroadcastAudience } from './audience.js';
import type { BroadcastFields } from '../broadcast-tables.js';

/** The input of create and update on every channel; absent fields keep their value. */
export interface SharedInput {
  name?: string;
  template?: string;
  topic?: string;
  segmentId?: string | null;
  variables?: Record<string, unknown>;
  scheduledAt?: string | null;
}

export type SharedFields = Pick<
  BroadcastFields,
  'name' | 'template' | 'topic' | 'segmentId' | 'variables' | 'scheduledAt'
>;

/** Before its first field is set. */
export const emptyBroadcast: SharedFields = {
  name: '',
  template: '',
  topic: '',
  segmentId: null,
  variables: {},
  scheduledAt: null,
};

/**
 * The shared fields of a broadcast after a call.
 * @throws invalid_input for variables that are too large, and for a time that has passed; not_found for an unknown
 *   segment
 */
export async function applySharedInput(
  audience: Pick<BroadcastAudience, 'hasSegment'>,
  environmentId: string,
  before: SharedFields,
  input: SharedInput,
  now: Date,
): Promise<SharedFields> {
  requireVariableSize('broadcast', input.variables);
  if (input.segmentId && !(await audience.hasSegment(environmentId, input.segmentId)))
    throw refusalOf.not_found({ thing: 'segment', lookup: 'audience.segment.list' });
  return {
    name: input.name ?? before.name,
    template: input.template ?? before.template,
    topic: input.topic ?? before.topic,
    segmentId: input.segmentId === undefined ? before.segmentId : input.segmentId,
    variables: input.variables ?? before.variables,
    scheduledAt: scheduledAfter(before.scheduledAt, input.scheduledAt, now),
  };
}

/** A time that the draft has already may have passed meanwhile: sending the draft refuses it. */
function scheduledAfter(before: Date | null, given: string | null | undefined, now: Date): Date | null {
  if (given === undefined) return before;
  if (given === null) return null;
  if (before?.getTime() === new Date(given).getTime()) return before;
  return scheduledTime(given, 'scheduledAt', now, 'leave it out to send as soon as the broadcast is sent');
}

/** The row of a new draft, except for its channel's own fields. */
export const draftRow = (id: string, environmentId: string, fields: SharedFields, now: Date): BroadcastFields => ({
  id,
  environmentId,
  ...fields,
  status: 'draft',
  holdReason: null,
  templateVersionId: null,
  templateVersion: null,
  activityId: null,
  lastContactId: null,
  fannedOutAt: null,
  releasedAt: null,
  bouncesReportedAt: null,
  cancelledAt: null,
  sentAt: null,
  completedAt: null,
  createdAt: now,
  updatedAt: now,
});
