import {
  choiceColumn,
  exactColumn,
  flagColumn,
  idColumn,
  intColumn,
  nullable,
  primary,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';
import { channels } from '../channels.js';

export const consentStates = ['granted', 'revoked'] as const;
export type ConsentState = (typeof consentStates)[number];

/** The consent history. Records are inserted and never changed. */
export const consentRecords = defineTable('audience_consent_record', {
  id: idColumn(),
  environmentId: uuidColumn(),
  contactId: uuidColumn(),
  channel: choiceColumn(channels, 5),
  topic: exactColumn(64),
  /** Counts the records of one contact, channel and topic: their order, independent of the nodes' clocks. */
  ordinal: intColumn(),
  state: choiceColumn(consentStates, 7),
  /**
   * Whether the record changed the consent state. A renewal does not, and neither does a grant older than the current
   * revocation.
   */
  effective: flagColumn(),
  source: textColumn(200),
  wording: nullable(textColumn(2000)),
  givenAt: timeColumn(),
  recordedAt: timeColumn(),
  actorKind: exactColumn(10),
  actorId: exactColumn(64),
  actorLabel: textColumn(254),
});

export type ConsentRecordRow = RowOf<typeof consentRecords>;

/**
 * The IP address that a consent record was given from. Stored apart from the record, which is never changed, so that it
 * can be erased.
 */
export const consentOrigins = defineTable('audience_consent_origin', {
  recordId: idColumn(),
  contactId: uuidColumn(),
  ip: textColumn(45),
});

/** The current consent state of one contact, channel and topic: the result of its records. */
export const consents = defineTable('audience_consent', {
  contactId: idColumn(),
  channel: primary(choiceColumn(channels, 5)),
  topic: primary(exactColumn(64)),
  environmentId: uuidColumn(),
  state: choiceColumn(consentStates, 7),
  /** `givenAt` of the record below. */
  since: timeColumn(),
  /** The last effective record. */
  recordId: uuidColumn(),
});

export type ConsentRow = RowOf<typeof consents>;
