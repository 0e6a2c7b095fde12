import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { exampleContact } from '../../examples.js';
import { Contact } from '../../resources.js';
import { changed, normalised } from '../../contacts/changes.js';
import { findContact } from '../../contacts/find.js';
import { contactChanges } from '../../contacts/input.js';
import { changesOf, contactNote } from '../../contacts/audit.js';
import { presentContact } from '../../contacts/present.js';
import { storeContacts } from '../../contacts/store.js';
import { lockForChange } from '../../contacts/upsert.js';

export default defineOperation({
  name: 'audience.contact.update',
  summary: 'Change one contact by its id.',
  description:
    'What is absent stays; null empties a field, or removes a property. Consent and suppressions belong to people’s addresses as they were: a new address begins without suppressions, and subscriptions stay the contact’s.',
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

  async handle({ contactId, ...given }, { db, caller, clock, vault, fail, emit, audit }) {
    const { environment } = caller;
    const found = await findContact(db, environment, { contactId });
    const draft = normalised(given);
    const { before, taken: fields } = await lockForChange(db, found, draft);
    if (!before) throw fail.not_found({ thing: 'contact', lookup: 'audience.contact.list' });
    if (fields.length > 0) throw fail.contact_conflict({ fields: fields.join(', '), details: { fields } });
    const wanted = changed(before, draft, vault);
    const isChanged = changesOf(before, wanted).length > 0;
    const after = isChanged ? { ...wanted, updatedAt: clock.now() } : before;
    audit({ ...contactNote({ before, after }), summary: 'Changed a contact.' });
    if (!isChanged) return { contact: presentContact(before) };
    await storeContacts(db, [{ before, after }]);
    const contact = presentContact(after);
    emit('audience.contact.updated', { subjectId: after.id, personId: after.id, data: { contact } });
    return { contact };
  },
});
