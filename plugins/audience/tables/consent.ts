import { EntitySchema } from 'typeorm';
import {
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
import type { Channel } from '../ports.js';

export type ConsentState = 'granted' | 'revoked';

/** One thing that was said about consent: inserted, and never changed. */
export interface ConsentRecordRow {
  id: string;
  environmentId: string;
  contactId: string;
  channel: Channel;
  topic: string;
  /** Counts the records of one contact, channel and topic: their order, whatever the nodes' clocks say. */
  ordinal: number;
  state: ConsentState;
  /** It changed where the contact stands. A renewal does not, nor does a grant given before a standing revocation. */
  effective: boolean;
  source: string;
  wording: string | null;
  givenAt: Date;
  recordedAt: Date;
  actorKind: string;
  actorId: string;
  actorLabel: string;
}

export const consentRecords = new EntitySchema<ConsentRecordRow>({
  name: 'audience_consent_record',
  columns: {
    id: idColumn(),
    environmentId: uuidColumn(),
    contactId: uuidColumn(),
    channel: exactColumn(5),
    topic: exactColumn(64),
    ordinal: intColumn(),
    state: exactColumn(7),
    effective: flagColumn(),
    source: textColumn(200),
    wording: nullable(textColumn(2000)),
    givenAt: timeColumn(),
    recordedAt: timeColumn(),
    actorKind: exactColumn(10),
    actorId: exactColumn(64),
    actorLabel: textColumn(254),
  },
});

/** Where the records of one contact, channel and topic have led. */
export interface ConsentRow {
  contactId: string;
  channel: Channel;
  topic: string;
  environmentId: string;
  state: ConsentState;
  /** When the effective record was given. */
  since: Date;
  /** The record that led here: the last effective one. */
  recordId: string;
}

export const consents = new EntitySchema<ConsentRow>({
  name: 'audience_consent',
  columns: {
    contactId: idColumn(),
    channel: primary(exactColumn(5)),
    topic: primary(exactColumn(64)),
    environmentId: uuidColumn(),
    state: exactColumn(7),
    since: timeColumn(),
    recordId: uuidColumn(),
  },
});
