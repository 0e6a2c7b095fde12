import { expect } from 'chai';
import { definePlugin } from '#core/kernel/plugin.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';

/** Addresses of users, which a product with sign-in stores. */
const usersAddresses = new Set<string>();
const userId = '01890a5d-ac96-774b-bcce-b302099a9001';

/** Another product that stores people’s addresses. */
const users = definePlugin({
  name: 'lab',
  summary: 'Knows users by their addresses.',
  tables: [],
  events: {},
  errors: {},
  operations: [],
  findAddressHolder: async (_db, { kind, address }) =>
    kind === 'email' && usersAddresses.has(address)
      ? { type: 'user', id: userId, operation: 'people.user.delete' }
      : null,
});

describe('audience.contact.delete, when somebody else has an address of the contact', () => {
  needProducts('email');
  const platform = usePlatform({ plugins: [users] });

  const contact = { email: 'ada@example.com', phone: '+4915123456789' };
  const deleteContact = async () => {
    const account = await platform.account();
    const { svc } = account;
    const { contact: made } = await svc.call('audience.contact.upsert', contact);
    const { phone, email } = contact;
    await svc.call('audience.suppression.add', { phone, note: 'Asked by phone.' });
    const { messageId } = await svc.call('email.send', { to: email, subject: 'Your code', text: 'It is 123456.' });
    await platform.settled();
    const database = platform.running.services.database;
    // Like mail to a user, which refers to no contact.
    await database.run('UPDATE email_message SET contact_id = NULL WHERE id = UNHEX(?)', [
      messageId.replaceAll('-', ''),
    ]);
    const { remaining } = await svc.call('audience.contact.delete', { contactId: made.id });
    await platform.settled();
    platform.clock.advance(minutes(2));
    await platform.settled();
    const { content } = await svc.call('email.message.get', { messageId });
    const { suppressions } = await svc.call('audience.suppression.list', { phone });
    return { text: content?.text ?? null, note: suppressions[0]?.note, remaining };
  };

  it('erases data found by the address when nobody else has the address', async () => {
    usersAddresses.clear();
    expect(await deleteContact()).to.deep.equal({ text: null, note: null, remaining: [] });
  });

  it('keeps data found by an address that another person has, names that person and the call that erases them, and erases data found by the other address', async () => {
    usersAddresses.add(contact.email);
    expect(await deleteContact()).to.deep.equal({
      text: 'It is 123456.',
      note: null,
      remaining: [{ type: 'user', id: userId, operation: 'people.user.delete' }],
    });
  });
});
