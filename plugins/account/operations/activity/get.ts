import { Activity, activityColumns, exampleActivity, type ActivityRow } from '#core/kernel/audit/resource.js';
import { notFoundOr } from '#core/kernel/environment/retention.js';
import { Event, exampleEvent } from '#core/kernel/events/resource.js';
import { defineOperation } from '#core/kernel/operation.js';
import { list, object, uuid } from '#core/kernel/schema/schema.js';
import { idBytes } from '#core/runtime/id.js';
import { activityPresenter } from '../../activities/present.js';
import { eventsOf, maxEvents } from '../../activities/events.js';
import { readsWholeAccount, activityRetentionOf } from '../../activities/page.js';

export default defineOperation({
  name: 'account.activity.get',
  summary: 'Returns an audit record with the request that it came from and the events that the request wrote.',
  description:
    'Keys of test environments see only their own environment’s records. The summary, the changes, the IP address and the user agent of a call are shown only to callers that may read the product of its operation: those of developers.key.create, for example, require developers:read in addition to account:read.',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({ activityId: uuid('The `activityId` that a call returned.') }),
  output: object({ activity: Activity, events: list(Event, `Oldest first, at most ${maxEvents}.`) }),
  example: {
    input: { activityId: exampleActivity.id },
    output: { activity: exampleActivity, events: [exampleEvent] },
  },

  async handle({ activityId }, { db, caller, clock, deployment, fail }) {
    const { id, accountId } = caller.environment;
    const [row] = await db.rows<ActivityRow>(
      `SELECT ${activityColumns} FROM svc_activity a
       WHERE a.id = ? AND (a.environment_id = ? OR (? AND a.account_id = ? AND a.account_wide = 1))`,
      [idBytes(activityId), idBytes(id), readsWholeAccount(caller) ? 1 : 0, idBytes(accountId)],
    );
    if (!row) {
      const words = { thing: 'activity', lookup: 'account.activity.list' };
      throw fail.not_found({ ...notFoundOr(words, activityRetentionOf(deployment), activityId, clock.now()) });
    }
    const { products } = deployment;
    const activity = activityPresenter(caller, products)(row);
    return { activity, events: await eventsOf(db, caller, activityId, products) };
  },
});
