import { findOwned, lockOwned } from '#core/kernel/environment/owned.js';
import type { TenantCaller } from '#core/kernel/caller/caller.js';
import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { Session } from '#core/runtime/database/session.js';
import { automations, type AutomationRow } from '../tables/automation.js';
import { parseCondition, type Condition } from './conditions/condition.js';
import type { Automation } from './resources.js';
import { indexSteps, withoutIds, type StepIndex, type StoredStep } from './steps/tree.js';

/** Stored step trees are created by `keepIds` and `withNewIds`, which the compiler cannot see. */
function storedSteps(json: string): StoredStep[];
function storedSteps(json: string): unknown {
  const parsed: unknown = JSON.parse(json);
  return parsed;
}

export const stepsOf = ({ steps }: Pick<AutomationRow, 'steps'>): StoredStep[] => storedSteps(steps);

export const filterOf = ({ triggerFilter }: Pick<AutomationRow, 'triggerFilter'>): Condition | null =>
  triggerFilter === null ? null : parseCondition(JSON.parse(triggerFilter), 'triggerFilter');

/** An automation in the form of replies and events. */
export const presentAutomation = (row: AutomationRow): ValueOf<typeof Automation> => ({
  id: row.id,
  name: row.name,
  triggerEvent: row.triggerEvent,
  triggerFilter: filterOf(row),
  steps: withoutIds(stepsOf(row)).map((step) => ({ ...step })),
  reenter: row.reenter,
  status: row.status,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** @throws not_found */
export const findAutomation = (db: Session, caller: TenantCaller, id: string): Promise<AutomationRow> =>
  findOwned(db, automations, caller, id);

/** The automation, locked until the transaction ends: runs take no step in the meantime. @throws not_found */
export const lockAutomation = (db: Session, caller: TenantCaller, id: string): Promise<AutomationRow> =>
  lockOwned(db, automations, caller, id);

/** Indexed trees by automation and version, which never change. */
const indexes = new Map<string, StepIndex>();
const mostIndexes = 200;

/** The places of an automation's steps. */
export function stepIndexOf(row: Pick<AutomationRow, 'id' | 'version' | 'steps'>): StepIndex {
  const key = `${row.id} ${row.version}`;
  const known = indexes.get(key);
  if (known) return known;
  const made = indexSteps(stepsOf(row));
  if (indexes.size >= mostIndexes) indexes.delete(indexes.keys().next().value ?? '');
  indexes.set(key, made);
  return made;
}
