import { changesBetween } from '#core/kernel/audit/changes.js';
import type { AuditEntry, Change } from '#core/kernel/context.js';
import type { ContactRow } from '../tables/contact.js';
import { propertiesOf } from './present.js';
import type { ContactWrite } from './store.js';

const fields = ['externalId', 'email', 'phone', 'firstName', 'lastName', 'locale', 'timeZone', 'properties'] as const;

const plain = (row: ContactRow) => ({ ...row, properties: propertiesOf(row.properties) });

/** Which of a contact's fields differ. */
export const changesOf = (before: ContactRow, after: ContactRow): Change[] =>
  changesBetween(plain(before), plain(after), fields);

/** What the audit record says of a contact's write beside its summary: it speaks of a person, and is erased with them. */
export const contactNote = ({ before, after }: ContactWrite): Omit<AuditEntry, 'summary'> => ({
  subject: { type: 'contact', id: after.id },
  personId: after.id,
  changes: before ? changesOf(before, after) : [],
});
