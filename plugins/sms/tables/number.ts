import { owned } from '#core/kernel/environment/owned.js';
import {
  choiceColumn,
  exactColumn,
  idColumn,
  jsonColumn,
  nullable,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

export const capabilities = ['sms', 'mms'] as const;
export type Capability = (typeof capabilities)[number];

/**
 * assigning: being bought; failed: it was not available; released: given back. Only `assigned` numbers are the
 * environment's.
 */
const numberStatuses = ['assigning', 'assigned', 'failed', 'released'] as const;

/** Where a number comes from: bought at the provider, or one of the deployment's own. */
const numberOrigins = ['provider', 'pool'] as const;

export const numbers = owned(
  defineTable('sms_number', {
    id: idColumn(),
    environmentId: uuidColumn(),
    /** E.164. */
    number: exactColumn(20),
    /**
     * The number while it is assigning, assigned or being given back: unique, so that no two environments have it. Null
     * otherwise.
     */
    heldNumber: nullable(exactColumn(20)),
    country: exactColumn(2),
    capabilities: jsonColumn<Capability[]>(),
    origin: choiceColumn(numberOrigins, 8),
    /** The provider's id of the number. */
    providerId: nullable(exactColumn(64)),
    status: choiceColumn(numberStatuses, 12),
    /** The last month, YYYY-MM in UTC, whose rent was metered. */
    rentMeteredUntil: nullable(exactColumn(7)),
    /** The audit record of the call that assigned it. */
    activityId: nullable(uuidColumn()),
    createdAt: timeColumn(),
    assignedAt: nullable(timeColumn()),
    releasedAt: nullable(timeColumn()),
    /**
     * When the provider failed in the call that takes the number. The number is not bought later, unless another call
     * resumes the purchase.
     */
    refusedAt: nullable(timeColumn()),
    /** Why it could not join the environment's registration, in the provider's words; null if it did, or need not. */
    joinProblem: nullable(textColumn(500)),
  }),
  { thing: 'number', lookup: 'sms.number.list' },
);

export type NumberRow = RowOf<typeof numbers>;

/**
 * One row per number that is being bought or given back at the provider, or that could not join its registration. The
 * row has the number's id.
 */
export const numberQueueRef = { name: 'sms.numbers', table: 'sms_number_queue' } as const;
