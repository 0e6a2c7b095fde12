import { findOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page } from '#core/kernel/schema/paging.js';
import { list, object, optional, uuid } from '#core/kernel/schema/schema.js';
import { exampleDelivery, WebhookDelivery, deliveryStatus } from '../../../resources.js';
import { deliveryQueue } from '../../../tables/delivery.js';
import { deliveryPage } from '../../../deliveries/page.js';
import { presentDelivery } from '../../../deliveries/present.js';
import { leasedIds } from '#core/runtime/work/queue.js';
import { webhooks } from '../../../tables/webhook.js';
import { findEvent } from '../../../events/find.js';
import { isReadable, readableEvents } from '../../../events/readable.js';

export default defineOperation({
  name: 'developers.webhook.deliveries.list',
  summary: 'Lists delivery attempts, newest first.',
  keywords: 'which webhooks failed failures log',
  description:
    'Deliveries of events that the key may not read are omitted, so a page can be shorter than `limit`, or even empty, although more pages follow. Check `nextBefore`.',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  mayBeOld: 'on request',
  input: object({
    ...page,
    endpointId: optional(uuid('Only deliveries to this endpoint.')),
    eventId: optional(uuid('Only deliveries of this event.')),
    status: optional(deliveryStatus),
  }),
  output: object({ deliveries: list(WebhookDelivery), nextBefore }),
  example: { input: { status: 'delivered', limit: 20 }, output: { deliveries: [exampleDelivery], nextBefore: null } },

  async handle({ before, limit, endpointId, eventId, status }, { db, caller, deployment }) {
    if (endpointId !== undefined) await findOwned(db, webhooks, caller, endpointId);
    const readable = readableEvents(caller, deployment, 'developers.webhook.deliveries.list');
    if (eventId !== undefined) readable.require([(await findEvent(db, caller.environment, eventId)).type.toString()]);
    const filter = { endpointId, eventId, status };
    const { rows, next } = await deliveryPage(db, caller.environment, filter, { before, limit });
    const leased = await leasedIds(
      db,
      deliveryQueue,
      rows.map(({ id }) => id),
    );
    const shown = rows.filter(({ eventType }) => isReadable(eventType, readable.products));
    return { deliveries: shown.map((row) => presentDelivery(row, leased.has(row.id))), nextBefore: next };
  },
});
