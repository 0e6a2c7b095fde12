import { expect } from 'chai';
import { idBytes } from '#core/runtime/id.js';
import { itNeeding, needProducts } from '#test/support/products.js';
import { useTwilio } from '../twilio-platform.js';
import { deliver, numberOf } from './support.js';

describe('Two numbers that reach one phone', () => {
  needProducts('audience');
  const given = useTwilio();
  const { platform } = given;
  /** The number as it is known, and as the carrier writes the sender of the reply. */
  const pairs = [
    ['Mexico', '+525512345678', '+5215512345678'],
    ['Argentina', '+5491123456789', '+541123456789'],
    ['Argentina, without 9', '+541123456780', '+5491123456780'],
    ['Brazil', '+5511981234567', '+551181234567'],
    ['Brazil, an old range', '+551171234567', '+5511971234567'],
    ['the same spelling', '+4915123456789', '+4915123456789'],
  ] as const;

  for (const [name, phone, other] of pairs)
    it(`have one STOP, one contact and one suppression: ${name}`, async () => {
      const { svc, ...account } = await platform.account();
      const { number } = await numberOf({ svc, ...account });
      const { contact } = await svc.call('audience.contact.upsert', { phone, firstName: 'Ada' });
      expect(contact.phone).to.equal(phone);
      await deliver(given, { to: number, from: other, body: 'STOP' });
      for (const each of [phone, other]) {
        const found = await svc.call('audience.contact.get', { phone: each });
        expect(found.contact.id).to.equal(contact.id);
        expect(found.suppressions.map(({ reason }) => reason)).to.deep.equal(['stop']);
        const listed = await svc.call('audience.suppression.list', { phone: each });
        expect(listed.suppressions.map(({ reason }) => reason)).to.deep.equal(['stop']);
      }
      const { inbound } = await svc.call('sms.inbound.list', {});
      expect(inbound.map(({ contactId }) => contactId)).to.deep.equal([contact.id]);
      // A second STOP, from the number as it was known, is the same one.
      await deliver(given, { to: number, from: phone, body: 'STOP' });
      expect((await svc.call('audience.suppression.list', {})).suppressions).to.have.length(1);
      const again = await svc.call('audience.contact.upsert', { phone: other, lastName: 'Lovelace' });
      expect([again.created, again.contact.id]).to.deep.equal([false, contact.id]);
      const taken = await svc.call('audience.contact.upsert', { email: 'grace@example.com' });
      const conflict = { contactId: taken.contact.id, phone };
      expect(await svc.refusal('audience.contact.update', conflict)).to.include({ code: 'contact_conflict' });

      await deliver(given, { to: number, from: other, body: 'START' });
      const allowed = await svc.call('audience.contact.get', { phone });
      expect(allowed.suppressions).to.deep.equal([]);
    });

  it('are found in rows that were stored before numbers had one form', async () => {
    const { svc, live } = await platform.account();
    const [old, other] = ['+541123456789', '+5491123456789'];
    const { suppression } = await svc.call('audience.suppression.add', { phone: old });
    const { database, vault } = platform.running.services;
    const digest = vault.digest(`${live.id}|sms|${old}`, { table: 'audience', column: 'address_digest' });
    await database.run('UPDATE audience_suppression SET address_digest = ? WHERE id = ?', [
      digest,
      idBytes(suppression.id),
    ]);
    for (const each of [old, other]) {
      const listed = await svc.call('audience.suppression.list', { phone: each });
      expect(listed.suppressions.map(({ id }) => id)).to.deep.equal([suppression.id]);
      const again = await svc.call('audience.suppression.add', { phone: each });
      expect(again.suppression.id).to.equal(suppression.id);
    }
    const { contact } = await svc.call('audience.contact.upsert', { phone: other });
    const found = await svc.call('audience.contact.get', { contactId: contact.id });
    expect(found.suppressions.map(({ id }) => id)).to.deep.equal([suppression.id]);
    const onSms = found.reach.filter(({ channel }) => channel === 'sms').map(({ reachable }) => reachable);
    expect([...new Set(onSms)]).to.deep.equal([false]);
  });

  itNeeding('auth')('are one number of a user', async () => {
    const account = await platform.account();
    const { user } = await account.svc.call('auth.user.create', { phone: '+541123456789' });
    const found = await account.svc.call('auth.user.get', { phone: '+5491123456789' });
    expect(found.user).to.include({ id: user.id, phone: '+541123456789' });
    const refused = await account.svc.refusal('auth.user.create', { phone: '+54 9 11 2345-6789' });
    expect(refused).to.include({ code: 'identity_taken' });
    // As it was stored before.
    await platform.running.services.database.run(
      "UPDATE auth_identity SET identity_key = '+541123456789' WHERE user_id = ?",
      [idBytes(user.id)],
    );
    expect((await account.svc.call('auth.user.get', { phone: '+5491123456789' })).user.id).to.equal(user.id);
    expect(await account.svc.refusal('auth.user.create', { phone: '+5491123456789' })).to.include({
      code: 'identity_taken',
    });
    for (const query of ['+5491123456789', '+541123'])
      expect((await account.svc.call('auth.user.list', { query })).users.map(({ id }) => id)).to.deep.equal([user.id]);
  });
});
