import { changesBetween, newFields } from '#core/kernel/audit/changes.js';
import type { AuditEntry, Change } from '#core/kernel/context.js';
import type { ContactRow } from '../tables/contact.js';
import { parseProperties } from './present.js';
import type { ContactWrite } from './store.js';

const fields = ['externalId', 'email', 'phone', 'firstName', 'lastName', 'locale', 'timeZone', 'properties'] as const;

const withProperties = (row: ContactRow) => ({ ...row, properties: parseProperties(row.properties) });

/** The fields of a contact that differ. */
export const changesOf = (before: ContactRow, after: ContactRow): Change[] =>
  changesBetween(withProperties(before), withProperties(after), fields);

/**
 * The audit entry of a contact write, without a summary. It names the person, so an erasure of the person redacts it.
 */
export const contactAuditEntry = ({
  before,
  after,
}: ContactWrite): Omit<AuditEntry, 'summary'> & { changes: Change[] } => ({
  subject: { type: 'contact', id: after.id },
  personId: after.id,
  changes: before ? changesOf(before, after) : newFields(withProperties(after), fields),
  unchanged: 'the contact already had these values.',
});
