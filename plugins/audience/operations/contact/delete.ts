import { erasure } from '#core/kernel/ports.js';
import { defineOperation } from '#core/kernel/operation.js';
import { boolean, object, uuid } from '#core/kernel/schema/schema.js';
import { exampleContact } from '../../examples.js';
import { eraseContact, wasErased } from '../../contacts/erase.js';
import { lockContact } from '../../contacts/find.js';

export default defineOperation({
  name: 'audience.contact.delete',
  summary: 'Erase a contact: everything that names the person, everywhere, within the hour.',
  description:
    'Answers a person’s request to be forgotten (GDPR, Article 17). Its consent records stay, under its id alone, and its suppressions stay in force, under a keyed digest. Events, audit records, stored answers, deliveries and messages are redacted in the background; messages that still wait for the person are cancelled, for their other recipients too.',
  access: 'secret',
  impact: { destructive: true, retrySafe: true },
  input: object({ contactId: uuid('The contact to erase.') }),
  output: object({ contactId: uuid(), deleted: boolean('False where it had been deleted before.') }),
  events: ['audience.contact.deleted'],
  example: { input: { contactId: exampleContact.id }, output: { contactId: exampleContact.id, deleted: true } },

  async handle({ contactId }, context) {
    const { db, caller, use, emit, audit } = context;
    const { environment } = caller;
    // It names nobody, and so is not erased with the person: that they were erased must stay on record.
    audit({ subject: { type: 'contact', id: contactId }, summary: 'Erased a contact.' });
    const contact = await lockContact(db, environment, { contactId }).catch(async (error: unknown) => {
      // Before, or by a racer whose commit the lock waited for.
      if (await wasErased(db, environment.id, contactId)) return null;
      throw error;
    });
    if (!contact) return { contactId, deleted: false };
    for (const { email, phone } of await eraseContact(context, contact))
      await use(erasure).request({ environment, personId: contactId, email, phone });
    emit('audience.contact.deleted', { subjectId: contactId, data: { contactId } });
    return { contactId, deleted: true };
  },
});
