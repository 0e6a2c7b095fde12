import { updateTime } from '#core/kernel/audit/unchanged.js';
import { lockEnvironment } from '#core/kernel/environment/environment.js';
import { lockOwned } from '#core/kernel/environment/owned.js';
import type { HandlerContext } from '#core/kernel/context.js';
import { object, uuid, type ValueOf } from '#core/kernel/schema/schema.js';
import { WebhookEndpoint } from '../resources.js';
import { webhooks } from '../tables/webhook.js';
import { deliveryQueue } from '../tables/delivery.js';
import { requireRoomForEnabled } from './caps.js';
import { presentEndpoint } from './endpoints.js';

const input = object({ endpointId: uuid('The endpoint.') });
const output = object({ endpoint: WebhookEndpoint });
type StatusEvent = 'developers.webhook.enabled' | 'developers.webhook.disabled';

/** The shared definition of developers.webhook.enable and developers.webhook.disable. */
export const setStatusOperation = (status: 'enabled' | 'disabled', event: StatusEvent) => ({
  access: 'secret' as const,
  input,
  output,
  errors: status === 'enabled' ? (['limit_reached'] as const) : [],
  events: [event],

  async handle(
    { endpointId }: ValueOf<typeof input>,
    context: HandlerContext<'secret', 'limit_reached', StatusEvent>,
  ): Promise<ValueOf<typeof output>> {
    const { db, caller, clock, fail, emit, audit, wake } = context;
    // As in developers.webhook.create, so that the limit of enabled endpoints is not exceeded.
    if (status === 'enabled') await lockEnvironment(db, caller.environment.id);
    const before = await lockOwned(db, webhooks, caller, endpointId);
    audit({
      subject: { type: 'webhook', id: endpointId },
      summary: `${status === 'enabled' ? 'Enabled' : 'Disabled'} the webhook endpoint ${before.url}.`,
      changes: before.status === status ? [] : [{ field: 'status', from: before.status, to: status }],
      unchanged: `the webhook endpoint ${before.url} was already ${status}.`,
    });
    if (before.status === status) return { endpoint: presentEndpoint(before, clock.now()) };
    if (status === 'enabled') await requireRoomForEnabled(db, caller.environment.id, fail);
    const updatedAt = updateTime(before, clock.now());
    // Restart the five-day period when an endpoint is enabled.
    await db.update(webhooks, { id: endpointId }, { status, failingSince: null, updatedAt });
    const endpoint = presentEndpoint({ ...before, status, updatedAt }, clock.now());
    emit(event, { subjectId: endpointId, data: { endpoint } });
    if (status === 'enabled') wake(deliveryQueue.name);
    return { endpoint };
  },
});
