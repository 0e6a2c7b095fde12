import type { BlockedBy } from '#core/messaging/blocked.js';
import { owned } from '#core/kernel/environment/owned.js';
import {
  bodyTextColumn,
  choiceColumn,
  exactColumn,
  flagColumn,
  idColumn,
  intColumn,
  jsonColumn,
  longTextColumn,
  nullable,
  primary,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

export const automationStatuses = ['draft', 'active', 'paused', 'archived'] as const;
export type AutomationStatus = (typeof automationStatuses)[number];

export const automations = owned(
  defineTable('email_automation', {
    id: idColumn(),
    environmentId: uuidColumn(),
    name: textColumn(120),
    triggerEvent: exactColumn(100),
    /** A condition, as JSON. */
    triggerFilter: nullable(bodyTextColumn()),
    /** The step tree with its inner ids, as JSON. */
    steps: longTextColumn(),
    /** The id of the next new step. Ids are not used again. */
    nextStepId: intColumn(),
    /** Counts the changes of the step tree. */
    version: intColumn(),
    reenter: flagColumn(),
    status: choiceColumn(automationStatuses, 8),
    archivedAt: nullable(timeColumn()),
    createdAt: timeColumn(),
    updatedAt: timeColumn(),
  }),
  { thing: 'automation', lookup: 'email.automation.list' },
);
export type AutomationRow = RowOf<typeof automations>;

/**
 * The contacts that an automation ever enrolled, each with its first run: the unique key decides between simultaneous
 * events.
 */
export const enrolments = defineTable('email_automation_enrolment', {
  automationId: primary(uuidColumn()),
  contactId: primary(uuidColumn()),
  runId: uuidColumn(),
});

/** The stored statuses of a run. See `runStatus` for the displayed statuses. */
export const runStatuses = ['waiting', 'completed', 'cancelled', 'failed'] as const;
export type StoredRunStatus = (typeof runStatuses)[number];

export const runs = owned(
  defineTable('email_automation_run', {
    id: idColumn(),
    environmentId: uuidColumn(),
    automationId: uuidColumn(),
    contactId: uuidColumn(),
    /** The person of the event that started it, if that is not the contact but a user. */
    personId: nullable(uuidColumn()),
    status: choiceColumn(runStatuses, 9),
    /** The step that it takes next, or waits in. */
    stepId: intColumn(),
    /** It has begun to wait in the step, which is a wait. */
    entered: flagColumn(),
    /** The position of the step in the tree when the run reached it. */
    position: exactColumn(255),
    /** The event that started it, as JSON. Emptied after the person was erased. */
    context: longTextColumn(),
    stepsTaken: intColumn(),
    /** The audit record of the call that led to it. */
    activityId: nullable(uuidColumn()),
    nextAt: nullable(timeColumn()),
    startedAt: timeColumn(),
    endedAt: nullable(timeColumn()),
    endReason: nullable(exactColumn(40)),
  }),
  { thing: 'run', lookup: 'email.automation.run.list' },
);
export type RunRow = RowOf<typeof runs>;

export const outcomes = ['sent', 'suppressed', 'failed', 'waited', 'set', 'unchanged', 'then', 'else'] as const;
export type StepOutcome = (typeof outcomes)[number];

/** What a run did, one row per step that it took. */
export const history = defineTable('email_automation_history', {
  runId: primary(uuidColumn()),
  /** Counts from 0. */
  position: primary(intColumn()),
  /** The step's path in the tree at the time it ran. */
  step: exactColumn(255),
  type: exactColumn(16),
  at: timeColumn(),
  outcome: choiceColumn(outcomes, 16),
  reason: nullable(exactColumn(60)),
  /** The consent or suppression that stopped a message; null if something else did, and in rows of earlier versions. */
  blockedBy: nullable(jsonColumn<BlockedBy>()),
  /** What a failed step lacked, in words. It contains no data of a person: it stays after the person was erased. */
  detail: nullable(textColumn(1000)),
  messageId: nullable(uuidColumn()),
});
export type HistoryRow = RowOf<typeof history>;
