import {
  exactColumn,
  fixedBytesColumn,
  idColumn,
  intColumn,
  longTextColumn,
  nullable,
  primary,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';

/** Something that a contact did in the customer's product. Deleted after the retention time. */
export const recordedEvents = defineTable('audience_event', {
  id: idColumn(),
  environmentId: uuidColumn(),
  contactId: uuidColumn(),
  name: exactColumn(100),
  /** The customer's own id: unique per environment and event name. */
  eventId: nullable(exactColumn(800)),
  /** A JSON object. */
  properties: longTextColumn(),
  occurredAt: timeColumn(),
  recordedAt: timeColumn(),
});

/**
 * The number of times that a contact did something, and the last time. Segments read this row, which is kept longer
 * than the events.
 */
export const eventTallies = defineTable('audience_event_tally', {
  contactId: idColumn(),
  /** `nameId` of the event's name. */
  nameId: primary(fixedBytesColumn(8)),
  count: intColumn(),
  lastAt: timeColumn(),
});
