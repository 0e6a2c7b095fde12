import { requireUnchanged, updateTime } from '#core/kernel/audit/unchanged.js';
import { defineOperation } from '#core/kernel/operation.js';
import { ifUnchangedSince, object, uuid } from '#core/kernel/schema/schema.js';
import { exampleContact } from '../../examples.js';
import { Contact } from '../../resources.js';
import { changesIn, revokeConsents } from '../../consents/append.js';
import { optOutsAtGainedAddresses } from '../../consents/gained-addresses.js';
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
    'Fields that are left out stay as they are; null clears a field or removes a property. Consents stay with the contact, except that an opt-out of a contact that had the new address before revokes a consent that was not given after it. Suppressions stay with the address: those of the new address apply.',
  keywords: 'edit person customer user',
  access: 'secret',
  impact: { retrySafe: true },
  input: object(
    { contactId: uuid('The contact to change.'), ...contactChanges, ifUnchangedSince },
    { minProperties: 2 },
  ),
  output: object({ contact: Contact }),
  errors: ['contact_conflict'],
  events: ['audience.contact.updated', 'audience.consent.revoked'],
  example: {
    input: { contactId: exampleContact.id, lastName: 'Lovelace', properties: { orders: 3, trial: null } },
    output: { contact: exampleContact },
  },

  async handle({ contactId, ifUnchangedSince: since, ...input }, context) {
    const { db, caller, clock, vault, fail, emit, audit } = context;
    const { environment } = caller;
    const found = await findContact(db, environment, { contactId });
    const changes = normalizeChanges(input);
    const { before, conflicts } = await lockForUpdate(db, found, changes);
    if (!before) throw fail.not_found({ thing: 'contact', lookup: 'audience.contact.list' });
    await requireUnchanged(context, since, before, { type: 'contact', id: contactId });
    if (conflicts.length > 0)
      throw fail.contact_conflict({ fields: conflicts.join(', '), owner: '', details: { fields: conflicts } });
    const changed = applyChanges(before, changes, vault);
    requireRemainingIdentifier(changed, changes);
    const isChanged = changesOf(before, changed).length > 0;
    const after = isChanged ? { ...changed, updatedAt: updateTime(before, clock.now()) } : before;
    const entry = { ...contactAuditEntry({ before, after }), summary: 'Changed a contact.' };
    if (!isChanged) {
      audit(entry);
      return { contact: presentContact(before) };
    }
    await storeContacts(db, [{ before, after }]);
    const optOuts = await optOutsAtGainedAddresses(db, [{ before, after }]);
    const revoked = await revokeConsents(context, optOuts.flat());
    audit({ ...entry, changes: [...entry.changes, ...changesIn(revoked)] });
    const contact = presentContact(after);
    emit('audience.contact.updated', { subjectId: after.id, personId: after.id, data: { contact } });
    return { contact };
  },
});
