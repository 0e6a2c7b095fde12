import { expect } from 'chai';
import { hours } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import { itNeeding } from '#test/support/products.js';
import { searchDatabase } from '#test/support/search-database.js';
import { ada, send, useTexts } from './support.js';

describe('Erasing a person from texts', () => {
  const texts = useTexts(async () => ({ SVC_SMS_ALLOWED_COUNTRIES: 'US,DE,AR' }));
  const { platform } = texts;

  itNeeding('audience')(
    'removes number and text from sent messages and their events; what waits is never sent',
    async () => {
      const { svc, live } = await platform.account();
      const { contact } = await svc.call('audience.contact.upsert', { phone: ada, firstName: 'Ada' });
      const sent = await send(svc, { body: 'canary-body for you', tags: { who: 'canary-tag' } });
      await platform.settled();
      const sendAfter = new Date(platform.clock.now().getTime() + hours(1)).toISOString();
      const waiting = await send(svc, { body: 'canary-later', sendAfter });
      const bob = await send(svc, { to: '+4915123456780', body: 'stays' });
      await platform.settled();
      await svc.call('audience.contact.delete', { contactId: contact.id });
      const { database } = platform.running.services;
      await eventually(async () => {
        await platform.settled();
        return (await searchDatabase(database, 'canary')).length === 0;
      }, 'the texts are erased');
      expect(await searchDatabase(database, ada)).to.deep.equal([]);
      const { messages } = await svc.call('sms.message.list', {});
      const of = (id: string) => messages.find(({ messageId }) => messageId === id);
      expect(of(sent.messageId)).to.deep.include({ to: '', body: null, tags: {}, status: 'sent', segments: 1 });
      expect(of(waiting.messageId)).to.include({ to: '', body: null, status: 'cancelled' });
      expect(of(bob.messageId)).to.include({ to: '+4915123456780', body: 'stays' });
      platform.clock.advance(hours(1));
      await platform.settled();
      expect(texts.arrivalsOf(waiting.messageId)).to.deep.equal([]);
      const cancelled = (await platform.events(live)).filter(({ type }) => type === 'sms.cancelled');
      expect(cancelled).to.have.length(1);
    },
  );

  itNeeding('audience')(
    'removes texts to the other form of the number of one phone, and lists find them by it',
    async () => {
      const [landline, mobile] = ['+541123456789', '+5491123456789'];
      const { svc } = await platform.account();
      const sent = await send(svc, { to: landline, body: 'canary-other-form' });
      await platform.settled();
      for (const to of [landline, mobile]) {
        const { messages } = await svc.call('sms.message.list', { to });
        expect(messages.map(({ messageId }) => messageId)).to.deep.equal([sent.messageId]);
      }
      const { contact } = await svc.call('audience.contact.upsert', { phone: mobile });
      await svc.call('audience.contact.delete', { contactId: contact.id });
      const { database } = platform.running.services;
      await eventually(async () => {
        await platform.settled();
        return (await searchDatabase(database, 'canary-other-form')).length === 0;
      }, 'the text is erased');
      expect(await searchDatabase(database, landline)).to.deep.equal([]);
    },
  );

  it('finds a person’s texts by an index, however many texts the environment has', async () => {
    const rows = await platform.running.services.database.rows<{ place: string }>(
      `SELECT CONCAT(table_name, '.', column_name) AS place FROM information_schema.statistics
       WHERE table_schema = DATABASE() AND seq_in_index = 1`,
    );
    const wanted = ['sms_message.contact_id', 'sms_message.person_id', 'sms_inbound.contact_id'];
    expect(rows.map(({ place }) => place)).to.include.members(wanted);
  });
});
