import { EntitySchema } from 'typeorm';
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

/** Something a contact did in the customer's product; forgotten when its time is over. */
export interface RecordedEventRow {
  id: string;
  environmentId: string;
  contactId: string;
  name: string;
  /** The customer's own id, under which an event is recorded once. */
  eventId: string | null;
  /** A JSON object. */
  properties: string;
  occurredAt: Date;
  recordedAt: Date;
}

export const recordedEvents = new EntitySchema<RecordedEventRow>({
  name: 'audience_event',
  columns: {
    id: idColumn(),
    environmentId: uuidColumn(),
    contactId: uuidColumn(),
    name: exactColumn(100),
    eventId: nullable(exactColumn(800)),
    properties: longTextColumn(),
    occurredAt: timeColumn(),
    recordedAt: timeColumn(),
  },
});

/** How often a contact did it, and when last: what segments ask, and what stays. */
export interface EventTallyRow {
  contactId: string;
  /** `nameId` of the event's name. */
  nameId: Buffer;
  count: number;
  lastAt: Date;
}

export const eventTallies = new EntitySchema<EventTallyRow>({
  name: 'audience_event_tally',
  columns: {
    contactId: idColumn(),
    nameId: primary(fixedBytesColumn(8)),
    count: intColumn(),
    lastAt: timeColumn(),
  },
});
