import { Event, exampleEvent, presentEvent } from '#core/kernel/events/resource.js';
import { defineOperation } from '#core/kernel/operation.js';
import { list, object, uuid } from '#core/kernel/schema/schema.js';
import { exampleDelivery, WebhookDelivery } from '../../resources.js';
import { leasedIds } from '#core/runtime/work/queue.js';
import { deliveryQueue, deliveries } from '../../tables/delivery.js';
import { presentDelivery } from '../../deliveries/present.js';
import { findEvent } from '../../events/find.js';
import { readableEvents } from '../../events/readable.js';

export default defineOperation({
  name: 'developers.event.get',
  summary: 'Returns an event with its payload and the deliveries it caused.',
  description:
    'The key also needs the read permission of the event’s product, such as account:read for account.updated.',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({ eventId: uuid('The event.') }),
  output: object({ event: Event, deliveries: list(WebhookDelivery, 'Every attempt, oldest first.') }),
  example: { input: { eventId: exampleEvent.id }, output: { event: exampleEvent, deliveries: [exampleDelivery] } },

  async handle({ eventId }, { db, caller, deployment }) {
    const { environment } = caller;
    const row = await findEvent(db, environment, eventId);
    readableEvents(caller, deployment, 'developers.event.get').require([row.type.toString()]);
    const attempts = (await db.find(deliveries, { eventId, environmentId: environment.id })).sort((a, b) =>
      a.id < b.id ? -1 : 1,
    );
    const leased = await leasedIds(
      db,
      deliveryQueue,
      attempts.map(({ id }) => id),
    );
    return {
      event: presentEvent(row, environment),
      deliveries: attempts.map((each) => presentDelivery(each, leased.has(each.id))),
    };
  },
});
