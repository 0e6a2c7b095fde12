import { Activity, exampleActivity, presentActivity } from '#core/kernel/audit/resource.js';
import { nearest } from '#config/nearest.js';
import { keptSince, presentKeptSince } from '#core/kernel/environment/retention.js';
import { invalidFields } from '#core/kernel/errors/invalid-field.js';
import { defineOperation } from '#core/kernel/operation.js';
import { cutPage, nextBefore, page } from '#core/kernel/schema/paging.js';
import { dateTime, list, object, optional, text } from '#core/kernel/schema/schema.js';
import { activityPage } from '../../activities/page.js';
import { activitiesKept, activityRetentionOf } from '../../activities/retention.js';

/** @throws invalid_input if no operation has this name */
function requireOperation(name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  const guess = nearest(name.toLowerCase(), known);
  throw invalidFields([
    {
      field: 'operation',
      problem: `names no operation${guess === undefined ? '' : `: did you mean “${guess}”?`}`,
      nextStep:
        guess === undefined ? 'Name one as /openapi.json does, such as account.update.' : `Write “${guess}” instead.`,
    },
  ]);
}

export default defineOperation({
  name: 'account.activity.list',
  summary: 'List the audit log of this environment and its account, newest first.',
  description: 'Keys of test environments see only the records of their environment.',
  keywords: 'who changed a name or setting audit trail history did when',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({
    ...page,
    operation: optional(text('Only this operation, such as `account.update`.', { minLength: 1, maxLength: 100 })),
    actorId: optional(text('Only what this key, member or user did.', { minLength: 1, maxLength: 64 })),
    subjectId: optional(text('Only what was done to the thing with this id.', { minLength: 1, maxLength: 255 })),
    since: optional(dateTime('At this time or later.')),
    until: optional(dateTime('Before this time.')),
  }),
  output: object({ activities: list(Activity), nextBefore, keptSince: keptSince(activitiesKept) }),
  example: {
    input: { operation: 'account.update', since: '2026-11-01T00:00:00Z' },
    output: { activities: [exampleActivity], nextBefore: null, keptSince: null },
  },

  async handle({ limit, ...filter }, { db, caller, clock, deployment }) {
    const now = clock.now();
    const { rows: found, stoppedAt } = await activityPage(db, caller, filter, limit + 1, now);
    const { before, operation } = filter;
    // Existing records are shown even if this version does not have the operation.
    if (operation !== undefined && before === undefined && found.length === 0 && !stoppedAt)
      requireOperation(operation, deployment.operationNames);
    const { rows, next } = cutPage(found.map(presentActivity), limit, stoppedAt);
    return {
      activities: rows,
      nextBefore: next,
      keptSince: presentKeptSince(activityRetentionOf(deployment), now),
    };
  },
});
