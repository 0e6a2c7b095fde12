import { choiceColumn, exactColumn, idColumn, intColumn, primary, uuidColumn } from '#core/runtime/database/columns.js';
import type { RowFrom, Table } from '#core/runtime/database/table.js';

/*
 * How many messages have which status, by the day (UTC) on which they were accepted. A message counts once, under its
 * current status: one that waited, was sent and bounced is no longer counted under `queued` and `sent`.
 *
 * Code that changes a status appends rows of changes in its own transaction, so no two transactions wait for one
 * counter. The changes are added to the counts in the background; readers add up both.
 */

/** The statuses that are counted. `queued` includes messages that are held or being sent. */
const statStatuses = ['queued', 'sent', 'failed', 'suppressed', 'bounced', 'cancelled'] as const;
export type StatStatus = (typeof statStatuses)[number];

/**
 * Everything that is counted: in addition to statuses, the segments of messages that were sent, on channels that send
 * in segments, and the messages that were received, on channels that count them.
 */
export const statCounters = [...statStatuses, 'segments', 'received'] as const;
export type StatCounter = (typeof statCounters)[number];

/**
 * The groups in which messages are counted: all of an environment, or those of one template, broadcast, automation or
 * tag.
 */
const statDimensions = ['all', 'template', 'broadcast', 'automation', 'tag'] as const;
export type StatDimension = (typeof statDimensions)[number];

/** How long counts are kept. */
export const statDays = 400;

/**
 * How many different tags of an environment's messages of one day have their own counts, so that tags such as order
 * numbers do not make a row for each message. All further tags of the day are counted together, under `otherTags`.
 */
export const tagsPerDay = 1_000;
/** Unlike the digest of a tag. */
export const otherTags = 'other';

const counted = {
  queued: intColumn(),
  sent: intColumn(),
  failed: intColumn(),
  suppressed: intColumn(),
  bounced: intColumn(),
  cancelled: intColumn(),
  segments: intColumn(),
  received: intColumn(),
} satisfies Record<StatCounter, unknown>;

/** Counts. */
export const statColumns = {
  environmentId: primary(uuidColumn()),
  dimension: primary(choiceColumn(statDimensions, 10)),
  /** The template's name, the id of a broadcast or automation, or a digest of the tag (see tagValue), or otherTags. */
  value: primary(exactColumn(120)),
  /** Days since 1970-01-01, in UTC. */
  day: primary(intColumn()),
  ...counted,
};
type StatRow = RowFrom<typeof statColumns>;

/** Changes that the counts do not yet contain. */
export const statChangeColumns = {
  id: idColumn(),
  environmentId: uuidColumn(),
  dimension: choiceColumn(statDimensions, 10),
  value: exactColumn(120),
  day: intColumn(),
  ...counted,
};
export type StatChangeRow = RowFrom<typeof statChangeColumns>;

/** The tables of one channel. */
export interface StatTables {
  readonly counts: Table<StatRow>;
  readonly changes: Table<StatChangeRow>;
}
