import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { exampleContact } from '../../examples.js';
import { Contact } from '../../resources.js';
import { applyChanges, normalizeChanges, requireRemainingIdentifier } from '../../contacts/changes.js';
import { findContact } from '../../contacts/find.js';
import { contactChanges } from '../../contacts/input.js';
import { changesOf, contactAuditEntry } from '../../contacts/audit.js';
import { presentContact } from '../../contacts/present.js';
import { storeContacts } from '../../contacts/store.js';
import { lockForUpdate } from '../../contacts/upsert.js';

export default defineOperation({
  name: 'audience.contact.update',
  summary: 'Updates a contact by its id.',
  description:
    'Fields that are left out stay as they are; null clears a field or removes a property. Consents stay with the contact. Suppressions stay with the address, so a new address starts without any.',
  keywords: 'edit person customer user',
  access: 'secret',
  impact: { retrySafe: true },
  input: object({ contactId: uuid('The contact to change.'), ...contactChanges }, { minProperties: 2 }),
  output: object({ contact: Contact }),
  errors: ['contact_conflict'],
  events: ['audience.contact.updated'],
  example: {
    input: { contactId: exampleContact.id, lastName: 'Lovelace', properties: { orders: 3, trial: null } },
    output: { contact: exampleContact },
  },

  async handle({ contactId, ...input }, { db, caller, clock, vault, fail, emit, audit }) {
    const { environment } = caller;
    const found = await findContact(db, environment, { contactId });
    const changes = normalizeChanges(input);
    const { before, conflicts } = await lockForUpdate(db, found, changes);
    if (!before) throw fail.not_found({ thing: 'contact', lookup: 'audience.contact.list' });
    if (conflicts.length > 0)
      throw fail.contact_conflict({ fields: conflicts.join(', '), owner: '', details: { fields: conflicts } });
    const changed = applyChanges(before, changes, vault);
    requireRemainingIdentifier(changed, changes);
    const isChanged = changesOf(before, changed).length > 0;
    const after = isChanged ? { ...changed, updatedAt: clock.now() } : before;
    audit({ ...contactAuditEntry({ before, after }), summary: 'Changed a contact.' });
    if (!isChanged) return { contact: presentContact(before) };
    await storeContacts(db, [{ before, after }]);
    const contact = presentContact(after);
    emit('audience.contact.updated', { subjectId: after.id, personId: after.id, data: { contact } });
    return { contact };
  },
});
