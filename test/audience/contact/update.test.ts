import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { refusalBody } from '#test/account/support.js';
import { auditCount, auditOf, contactOf, eventsOf } from '#test/audience/support.js';
import { hours } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';

describe('audience.contact.update', () => {
  const platform = usePlatform();

  it('changes given fields, clears null ones, and lists the changes in the audit log', async () => {
    const { svc, live } = await platform.account();
    const before = await contactOf(svc, {
      externalId: 'ada',
      email: 'ada@example.com',
      firstName: 'Ada',
      lastName: 'Byron',
      properties: { plan: 'pro', orders: 3 },
    });
    platform.clock.advance(hours(1));
    const { activityId, result } = await svc.envelope('audience.contact.update', {
      contactId: before.id,
      email: null,
      phone: '+49 1512 3456789',
      lastName: null,
      locale: 'DE-at',
      timeZone: 'Europe/Vienna',
      properties: { orders: 4, plan: null },
    });
    const { contact } = result;
    expect(contact).to.deep.equal({
      ...before,
      email: null,
      phone: '+4915123456789',
      lastName: null,
      locale: 'de-AT',
      timeZone: 'Europe/Vienna',
      properties: { orders: 4 },
      updatedAt: platform.clock.now().toISOString(),
    });
    expect(await auditOf(platform, activityId)).to.deep.equal({
      operation: 'audience.contact.update',
      subject: `contact ${before.id}`,
      personId: before.id,
      summary: 'Changed a contact.',
      changes: [
        { field: 'email', from: 'ada@example.com', to: null },
        { field: 'phone', from: null, to: '+4915123456789' },
        { field: 'lastName', from: 'Byron', to: null },
        { field: 'locale', from: null, to: 'de-AT' },
        { field: 'timeZone', from: null, to: 'Europe/Vienna' },
        { field: 'properties', from: { orders: 3, plan: 'pro' }, to: { orders: 4 } },
      ],
    });
    expect((await eventsOf(platform, live, 'audience.')).at(-1)).to.deep.equal({
      type: 'audience.contact.updated',
      subjectId: before.id,
      personId: before.id,
      activityId,
      data: { contact },
    });
    expect((await svc.call('audience.contact.get', { contactId: before.id })).contact).to.deep.equal(contact);
  });

  it('answers a repeat as done, with an audit record of its own and no event', async () => {
    const { svc, live } = await platform.account();
    const { id: contactId } = await contactOf(svc);
    const input = { contactId, firstName: 'Ada', email: 'ada@example.com', properties: { a: 1 } };
    const first = await svc.call('audience.contact.update', input);
    const before = (await eventsOf(platform, live, 'audience.')).length;
    platform.clock.advance(hours(1));
    const again = await svc.envelope('audience.contact.update', input);
    expect(again.result).to.deep.equal(first);
    expect(await auditOf(platform, again.activityId)).to.deep.include({ changes: [], personId: contactId });
    expect(await eventsOf(platform, live, 'audience.')).to.have.length(before);
    expect(await auditCount(platform, live, 'audience.contact.update')).to.equal(2);
  });

  it('refuses an identifier that another contact has, in any spelling, and changes nothing', async () => {
    const { svc } = await platform.account();
    await contactOf(svc, { externalId: 'one', email: 'one@example.com', phone: '+4915123456789' });
    const two = await contactOf(svc, { externalId: 'two', email: 'two@example.com' });
    const conflicts: [object, string[]][] = [
      [{ externalId: 'one' }, ['externalId']],
      [{ email: 'ONE@Example.com' }, ['email']],
      [{ phone: '+49 1512 345 6789' }, ['phone']],
      [{ externalId: 'one', email: 'one@example.com' }, ['externalId', 'email']],
    ];
    for (const [fields, names] of conflicts) {
      const refused = await svc.refusal('audience.contact.update', { contactId: two.id, ...fields, firstName: 'No' });
      expect(refused, JSON.stringify(fields)).to.include({ status: 409, code: 'contact_conflict' });
      expect(refused.details).to.deep.equal({ fields: names });
    }
    expect((await svc.call('audience.contact.get', { contactId: two.id })).contact).to.deep.equal(two);
  });

  it('frees an identifier for another contact', async () => {
    const { svc } = await platform.account();
    const one = await contactOf(svc, { externalId: 'one', email: 'one@example.com' });
    const two = await contactOf(svc, { externalId: 'two' });
    await svc.call('audience.contact.update', { contactId: one.id, email: null });
    const { contact } = await svc.call('audience.contact.update', { contactId: two.id, email: 'one@example.com' });
    expect(contact.email).to.equal('one@example.com');
  });

  it('keeps a contact’s last identifier', async () => {
    const { svc } = await platform.account();
    const { id: contactId } = await contactOf(svc, { externalId: 'one', email: 'one@example.com' });
    const both = await svc.refusal('audience.contact.update', { contactId, email: null, externalId: null });
    expect(both).to.include({ status: 400, code: 'invalid_input' });
    expect(both.details).to.deep.equal({ field: 'email' });
    expect(both.fix).to.contain('audience.contact.delete');
    await svc.call('audience.contact.update', { contactId, email: null });
    const last = await svc.refusal('audience.contact.update', { contactId, externalId: null });
    expect(last.details).to.deep.equal({ field: 'externalId' });
    await svc.call('audience.contact.update', { contactId, externalId: null, phone: '+4915123456789' });
  });

  it('requires a change, and refuses invalid fields by name', async () => {
    const { svc } = await platform.account();
    const { id: contactId } = await contactOf(svc);
    expect(await svc.refusal('audience.contact.update', { contactId })).to.include({ code: 'invalid_input' });
    const wrong: [object, string][] = [
      [{ email: 'ada' }, 'email'],
      [{ phone: '0151' }, 'phone'],
      [{ locale: 'x_yy' }, 'locale'],
      [{ locale: 'german' }, 'locale'],
      [{ timeZone: '+01:00' }, 'timeZone'],
      [{ consents: [] }, 'consents'],
      [{ properties: { a: {} } }, 'properties.a'],
    ];
    for (const [fields, field] of wrong) {
      const refused = await svc.refusal('audience.contact.update', { contactId, ...fields });
      expect(refused, JSON.stringify(fields)).to.include({ status: 400, code: 'invalid_input' });
      expect(refused.details, JSON.stringify(fields)).to.deep.equal({ field });
    }
  });

  it('answers alike for another environment’s contact and an unknown one', async () => {
    const { svc, svcTest } = await platform.account();
    const { id: contactId } = await contactOf(svc);
    const unknown = refusalBody(await svc.refusal('audience.contact.update', { contactId: newId(), firstName: 'Ada' }));
    expect(unknown).to.include({ status: 404, code: 'not_found' });
    expect(
      refusalBody(await svcTest.refusal('audience.contact.update', { contactId, firstName: 'Ada' })),
    ).to.deep.equal(unknown);
  });
});
