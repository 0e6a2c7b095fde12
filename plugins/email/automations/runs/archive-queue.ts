import type { WorkerServices } from '#core/kernel/worker-services.js';
import { environmentTurns } from '#core/kernel/environment/turns.js';
import { findEnvironment } from '#core/kernel/environment/environment.js';
import { crashPoint } from '#core/runtime/fault.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { completeWork, type WorkQueue } from '#core/runtime/work/queue.js';
import { automations } from '../../tables/automation.js';
import { endRuns } from './cancel.js';
import { archiveQueue } from './queues.js';

/** Runs that one transaction ends. */
const batch = 500;

/**
 * The work queue that ends the runs of archived automations. The runs are cancelled from the moment when the automation
 * is archived. This queue updates their rows, so that nothing waits for them any more.
 */
export const archiveWork = (services: WorkerServices): WorkQueue => ({
  ...archiveQueue,
  concurrency: 3,
  turnsOf: environmentTurns(services.database),
  excludedPartitions: [],
  async perform(claim) {
    const { database } = services;
    const automation = await database.findOne(automations, { id: claim.id });
    const environment = automation && (await findEnvironment(database, automation.environmentId));
    while (automation && environment) {
      const rows = await database.rows<{ id: Buffer }>(
        "SELECT id FROM email_automation_run FORCE INDEX (steps) WHERE automation_id = ? AND status = 'waiting' LIMIT ?",
        [idBytes(claim.id), batch],
      );
      if (rows.length === 0) break;
      const at = automation.archivedAt ?? services.clock.now();
      await database.transaction((db) =>
        endRuns(
          db,
          rows.map(({ id }) => idText(id)),
          { endReason: 'automation_archived', at },
        ),
      );
      crashPoint('automation.archive.after');
    }
    await completeWork(database, archiveQueue, claim);
  },
});
