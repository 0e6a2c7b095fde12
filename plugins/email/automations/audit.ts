import { changesBetween, newFields } from '#core/kernel/audit/changes.js';
import type { Change } from '#core/kernel/context.js';
import type { AutomationRow } from '../tables/automation.js';
import { presentAutomation } from './store.js';

const fields = ['name', 'triggerEvent', 'triggerFilter', 'steps', 'reenter'] as const;

/** What an update changed, for its audit record. */
export const automationChanges = (before: AutomationRow, after: AutomationRow): Change[] =>
  changesBetween(presentAutomation(before), presentAutomation(after), fields);

/** The fields of a new automation. */
export const newAutomationFields = (row: AutomationRow): Change[] => newFields(presentAutomation(row), fields);

export const automationSubject = ({ id }: Pick<AutomationRow, 'id'>): { type: string; id: string } => ({
  type: 'automation',
  id,
});
