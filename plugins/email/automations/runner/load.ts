import { environmentColumns, environmentFrom, type EnvironmentColumns } from '#core/kernel/environment/environment.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import { runs, type AutomationRow, type RunRow } from '../../tables/automation.js';
import { automationsOf } from '../runs/find.js';

/** A run with the data that its next step depends on. */
export interface LoadedRun {
  readonly run: RunRow;
  readonly automation: AutomationRow;
  readonly environment: Environment;
}

/** Loads runs. @returns by id; runs that do not exist are absent */
export async function loadRuns(
  db: Pick<ReadSession, 'rows'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LoadedRun>> {
  if (ids.length === 0) return new Map();
  const rows = await db.rows<EnvironmentColumns>(
    `SELECT ${runs.columnList('r')}, ${environmentColumns} FROM email_automation_run r
     JOIN svc_environment e ON e.id = r.environment_id WHERE r.id IN (?)`,
    [ids.map(idBytes)],
  );
  const found = rows.map((row) => ({ run: runs.decode(row), environment: environmentFrom(row) }));
  const automations = await automationsOf(
    db,
    found.map(({ run }) => run),
  );
  return new Map(
    found.flatMap(({ run, environment }) => {
      const automation = automations.get(run.automationId);
      return automation ? [[run.id, { run, environment, automation }] as const] : [];
    }),
  );
}
