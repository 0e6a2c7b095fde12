import { environmentsThrough } from '#core/kernel/environment/owners.js';
import { queuedKind } from '#core/kernel/outgoing/queue-kind.js';
import { cancelRuns } from './cancel.js';
import { runQueue } from './queues.js';

/** Runs whose next step waits, for operators who restored a backup. */
export const automationSteps = queuedKind({
  name: 'automation-steps',
  one: 'step of an automation',
  several: 'steps of automations',
  queue: runQueue,
  operation: 'email.automation.pause',
  environmentsOf: environmentsThrough('email_automation'),
  async cancel(context, environment, ids) {
    await cancelRuns(context, environment, ids);
  },
});
