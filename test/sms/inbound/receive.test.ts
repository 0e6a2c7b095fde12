import { expect } from 'chai';
import { itNeeding } from '#test/support/products.js';
import { register } from '../support.js';
import { useTwilio } from '../twilio-platform.js';
import { deliver, numberOf, phone } from './support.js';

describe('received texts', () => {
  const given = useTwilio();
  const { platform } = given;

  itNeeding('audience')(
    'are kept with their sender, contact and number, once, however often they are delivered',
    async () => {
      const account = await platform.account();
      const { svc, live } = account;
      const number = await numberOf(account);
      const { contact } = await svc.call('audience.contact.upsert', { phone });
      const text = { to: number.number, body: 'Thank you!', sid: 'SM00000000000000000000000000000001' };
      const answers = [
        await deliver(given, text),
        ...(await Promise.all([deliver(given, text), deliver(given, text)])),
      ];
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
      expect(answers[0]?.text).to.contain('<Response');
      const { inbound } = await svc.call('sms.inbound.list', {});
      expect(inbound).to.have.length(1);
      expect(inbound[0]).to.deep.include({
        numberId: number.id,
        from: phone,
        to: number.number,
        body: 'Thank you!',
        keyword: null,
        contactId: contact.id,
        receivedAt: platform.clock.now().toISOString(),
      });
      const events = (await platform.events(live)).filter(({ type }) => type === 'sms.inbound.received');
      expect(events.map(({ subjectId, data }) => ({ subjectId, data }))).to.deep.equal([
        { subjectId: inbound[0]?.inboundId, data: { inbound: inbound[0] } },
      ]);
    },
  );

  it('are refused unless the provider signed them', async () => {
    const account = await platform.account();
    const { number } = await numberOf(account);
    const forged = await deliver(given, { to: number, body: 'STOP' }, 'another token');
    expect(forged.status).to.equal(403);
    expect(JSON.parse(forged.text)).to.have.nested.property('error.code', 'callback_rejected');
    expect((await account.svc.call('sms.inbound.list', {})).inbound).to.deep.equal([]);
  });

  itNeeding('audience')('are kept from unknown numbers, short codes and at any length', async () => {
    const account = await platform.account();
    const { number } = await numberOf(account);
    const long = 'é'.repeat(20_000);
    await deliver(given, { to: number, from: '+15005550199', body: long });
    await deliver(given, { to: number, from: '12345', body: 'STOP' });
    await deliver(given, { to: number, from: 'ACME', body: '' });
    expect((await deliver(given, { to: number, from: 'Österreichische Küche', body: 'x' })).status).to.equal(200);
    const { inbound } = await account.svc.call('sms.inbound.list', {});
    expect(inbound.map(({ from, body, keyword, contactId }) => [from, body.length, keyword, contactId])).to.deep.equal([
      ['Österreichische Kü', 1, null, null],
      ['ACME', 0, null, null],
      ['12345', 4, 'stop', null],
      ['+15005550199', 16_000, null, null],
    ]);
    expect((await account.svc.call('audience.suppression.list', {})).suppressions).to.deep.equal([]);
  });

  it('are listed newest first, by sender, by number and by id; names of nothing are refused', async () => {
    const account = await platform.account();
    const { svc } = account;
    const [first, second] = [await numberOf(account), await numberOf(account)];
    await deliver(given, { to: first.number, body: 'one' });
    await deliver(given, { to: second.number, body: 'two', from: '+15005550199' });
    await deliver(given, { to: first.number, body: 'three' });
    const bodies = async (filter: object): Promise<string[]> =>
      (await svc.call('sms.inbound.list', filter)).inbound.map(({ body }) => body);
    expect(await bodies({})).to.deep.equal(['three', 'two', 'one']);
    expect(await bodies({ from: '+49 1512 3456789' })).to.deep.equal(['three', 'one']);
    expect(await bodies({ numberId: second.id })).to.deep.equal(['two']);
    const { inbound, nextBefore } = await svc.call('sms.inbound.list', { limit: 2 });
    expect(await bodies({ before: nextBefore ?? '' })).to.deep.equal(['one']);
    expect(await bodies({ inboundId: inbound[1]?.inboundId ?? '' })).to.deep.equal(['two']);
    const unknown = '01890a5d-ac96-774b-bcce-b302099a9401';
    expect(await svc.refusal('sms.inbound.list', { numberId: unknown })).to.include({ code: 'not_found' });
    expect(await svc.refusal('sms.inbound.list', { inboundId: unknown })).to.include({ code: 'not_found' });
    for (const from of ['12345', 'ACME', '+1', '+491512345', '+15005550199x', '+4915123456789;ext=1'])
      expect(await svc.refusal('sms.inbound.list', { from })).to.deep.include({
        code: 'invalid_input',
        details: { field: 'from' },
      });
  });

  it('to a number that was given back are for nobody', async () => {
    const account = await platform.account();
    const [, other] = [await numberOf(account), await numberOf(account)];
    await account.svc.call('sms.number.release', { numberId: other.id });
    await platform.settled();
    expect((await deliver(given, { to: other.number, body: 'Hello' })).status).to.equal(200);
    expect((await account.svc.call('sms.inbound.list', {})).inbound).to.deep.equal([]);
    expect(platform.logLines.join('')).to.contain('a text arrived for no environment');
    expect(platform.logLines.join('')).not.to.contain(phone);
  });

  itNeeding('audience')('to a number that was given back are not received, but STOP to it still holds', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    await register(platform, live, 'active');
    const [old, next] = [await numberOf(account), await numberOf(account)];
    const { from } = await svc.call('sms.send', { to: phone, body: 'Your table is ready.' });
    expect(from).to.equal(old.number);
    await platform.settled();
    await svc.call('sms.settings.set', { defaultNumberId: next.id });
    await svc.call('sms.number.release', { numberId: old.id });
    for (const body of ['Thank you!', 'STOP'])
      expect((await deliver(given, { to: old.number, body })).status).to.equal(200);
    await platform.settled();
    expect((await svc.call('sms.inbound.list', {})).inbound).to.deep.equal([]);
    const types = (await platform.events(live)).map(({ type }) => type);
    expect(types).to.include('audience.suppression.added').and.not.include('sms.inbound.received');
    expect((await svc.call('sms.send', { to: phone, body: 'Still there?' })).status).to.equal('suppressed');
    expect(given.twilio.texts.filter(({ to }) => to === phone).map(({ body }) => body)).to.deep.equal([
      'Your table is ready.',
    ]);
    await deliver(given, { to: next.number, body: 'Hello' });
    expect((await svc.call('sms.inbound.list', {})).inbound).to.have.length(1);
  });

  itNeeding('audience')('are kept while the account is closed, and STOP holds', async () => {
    const account = await platform.account();
    const { number } = await numberOf(account);
    await account.svc.call('account.close', { reason: 'Testing.' });
    await deliver(given, { to: number, body: 'STOP' });
    expect((await account.svc.call('sms.inbound.list', {})).inbound).to.have.length(1);
    expect((await account.svc.call('audience.suppression.list', { phone })).suppressions).to.have.length(1);
  });

  itNeeding('audience')('are erased with their sender: the rows stay, without who and what', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    const { number } = await numberOf(account);
    const { contact } = await svc.call('audience.contact.upsert', { phone });
    await deliver(given, { to: number, body: 'My name is Ada' });
    await deliver(given, { to: number, body: 'Another', from: '+15005550199' });
    await svc.call('audience.contact.delete', { contactId: contact.id });
    await platform.settled();
    const { inbound } = await svc.call('sms.inbound.list', {});
    expect(inbound.map(({ from, body, contactId }) => ({ from, body, contactId }))).to.deep.equal([
      { from: '+15005550199', body: 'Another', contactId: null },
      { from: '', body: '', contactId: null },
    ]);
    expect(JSON.stringify(await platform.events(live))).not.to.contain('My name is Ada');
  });
});
