import type { MessageFields } from '../tables.js';
import type { BroadcastFields } from '../broadcast-tables.js';

/** A message of a broadcast, except for its recipient and its channel's own fields. */
export const broadcastMessage = (broadcast: BroadcastFields, at: Date): MessageFields => ({
  id: broadcast.id,
  environmentId: broadcast.environmentId,
  status: 'queued',
  isSystem: false,
  // Its content is the broadcast's; null once the recipient was erased.
  contentId: broadcast.id,
  template: broadcast.template,
  templateVersion: broadcast.templateVersion,
  templateLocale: null,
  broadcastId: broadcast.id,
  automationId: null,
  automationRunId: null,
  tags: {},
  topic: broadcast.topic,
  contactId: null,
  personId: null,
  activityId: broadcast.activityId,
  blockedReason: null,
  blockedBy: null,
  sendAfter: null,
  sentAt: null,
  endedAt: null,
  createdAt: at,
  contentRemovedAt: null,
});
