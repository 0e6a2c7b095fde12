import type { Change } from '#core/kernel/context.js';
import type { AddressHolder } from '#core/kernel/person.js';
import { remainingField, remainingOf } from '#core/kernel/erasure/remaining.js';
import { erasure } from '#core/kernel/ports.js';
import { defineOperation } from '#core/kernel/operation.js';
import { boolean, object, uuid } from '#core/kernel/schema/schema.js';
import { exampleContact } from '../../examples.js';
import { eraseContact, wasErased } from '../../contacts/erase.js';
import { lockContact } from '../../contacts/find.js';

export default defineOperation({
  name: 'audience.contact.delete',
  summary: 'Erases a contact’s personal data everywhere.',
  description:
    'Fulfils a person’s request for erasure (GDPR, Article 17) within the hour. Consent records stay as evidence under the contact’s id, without an address or IP address, and suppressions stay in force under a keyed digest. Events, audit records, stored replies, deliveries and messages are redacted in the background. Queued messages to the person are cancelled, including for their other recipients. Data that is found only by an address is kept while another contact or user has that address; `remaining` names them, and the operation that erases each.',
  keywords: 'GDPR forget erasure remove personal data customer user right',
  access: 'secret',
  impact: { destructive: true, retrySafe: true },
  input: object({ contactId: uuid('The contact to erase.') }),
  output: object({
    contactId: uuid('The contact that was erased.'),
    deleted: boolean('False if it had already been deleted.'),
    remaining: remainingField,
  }),
  events: ['audience.contact.deleted'],
  example: {
    input: { contactId: exampleContact.id },
    output: { contactId: exampleContact.id, deleted: true, remaining: [] },
  },

  async handle({ contactId }, context) {
    const { db, caller, clock, use, emit, audit } = context;
    const { environment } = caller;
    // Without the person's id, so that the record of the erasure is not itself erased.
    const erased = (changes: Change[]): void =>
      audit({
        subject: { type: 'contact', id: contactId },
        summary: 'Erased a contact.',
        changes,
        unchanged: 'the contact was already erased.',
      });
    const contact = await lockContact(db, environment, { contactId }).catch(async (error: unknown) => {
      // Erased before, or by a concurrent call whose commit the lock waited for.
      if (await wasErased(db, environment.id, contactId)) return null;
      throw error;
    });
    if (!contact) {
      erased([]);
      return { contactId, deleted: false, remaining: [] };
    }
    erased([{ field: 'deletedAt', from: null, to: clock.now().toISOString() }]);
    const holders: AddressHolder[] = [];
    const { externalId: value } = contact;
    const externalId = value === null ? undefined : { product: 'audience', value };
    for (const { email, phone } of await eraseContact(context, contact))
      holders.push(...(await use(erasure).request({ environment, personId: contactId, email, phone, externalId })));
    emit('audience.contact.deleted', { subjectId: contactId, data: { contactId } });
    return { contactId, deleted: true, remaining: remainingOf(holders) };
  },
});
