import { Activity, exampleActivity } from '#core/kernel/audit/resource.js';
import { nearest } from '#config/nearest.js';
import { keptSince, presentKeptSince } from '#core/kernel/environment/retention.js';
import { invalidFields } from '#core/kernel/errors/invalid-field.js';
import { defineOperation } from '#core/kernel/operation.js';
import { cutPage, nextBefore, page } from '#core/kernel/schema/paging.js';
import { dateTime, list, object, optional, text } from '#core/kernel/schema/schema.js';
import { activityPresenter } from '../../activities/present.js';
import { activityPage, activitiesKept, activityRetentionOf } from '../../activities/page.js';

/** @throws invalid_input if no operation has this name */
function requireOperation(name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  const guess = nearest(name.toLowerCase(), known);
  throw invalidFields([
    {
      field: 'operation',
      problem: `is not the name of an operation${guess === undefined ? '' : `: did you mean “${guess}”?`}`,
      nextStep:
        guess === undefined ? 'Use a name from /openapi.json, such as account.update.' : `Write “${guess}” instead.`,
    },
  ]);
}

export default defineOperation({
  name: 'account.activity.list',
  summary: 'Lists the audit records of this environment and its account, newest first.',
  description:
    'Keys of test environments see only their own environment’s records. The summary, the changes, the IP address and the user agent of a call are shown only to callers that may read the product of its operation: those of developers.key.create, for example, require developers:read in addition to account:read.',
  keywords: 'who changed a name or setting audit trail history did when',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  mayBeOld: 'on request',
  input: object({
    ...page,
    operation: optional(
      text('Only records of this operation, such as `account.update`.', { minLength: 1, maxLength: 100 }),
    ),
    actorId: optional(text('Only records of calls by this key, member or user.', { minLength: 1, maxLength: 64 })),
    subjectId: optional(text('Only records about the resource with this id.', { minLength: 1, maxLength: 255 })),
    since: optional(dateTime('Only records from this time on.')),
    until: optional(dateTime('Only records before this time.')),
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
    const { rows, next } = cutPage(found.map(activityPresenter(caller, deployment.products)), limit, stoppedAt);
    return {
      activities: rows,
      nextBefore: next,
      keptSince: presentKeptSince(activityRetentionOf(deployment), now),
    };
  },
});
