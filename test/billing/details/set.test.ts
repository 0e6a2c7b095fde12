import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';

describe('billing.details.set', () => {
  const platform = usePlatform();
  const address = { line1: 'Hauptstraße 1', city: 'Berlin', postalCode: '10115', country: 'DE' };

  it('sets the fields that are given and keeps the others', async () => {
    const { svc } = await platform.account();
    const first = await svc.call('billing.details.set', { name: ' Acme GmbH ', address });
    expect(first.details).to.deep.equal({
      name: 'Acme GmbH',
      address: {
        line1: 'Hauptstraße 1',
        line2: null,
        city: 'Berlin',
        region: null,
        postalCode: '10115',
        country: 'DE',
      },
      taxId: null,
      email: null,
      updatedAt: platform.clock.now().toISOString(),
    });
    const second = await svc.call('billing.details.set', { taxId: 'DE123456789', email: 'ap@acme.example' });
    expect(second.details).to.deep.equal({
      ...first.details,
      taxId: 'DE123456789',
      email: 'ap@acme.example',
      updatedAt: second.details.updatedAt,
    });
    expect(Date.parse(second.details.updatedAt)).to.be.greaterThan(Date.parse(first.details.updatedAt));
    const third = await svc.call('billing.details.set', { address: { city: 'Hamburg' }, taxId: null });
    expect(third.details.address).to.deep.include({ city: 'Hamburg', line1: null, country: null });
    expect(third.details.taxId).to.equal(null);
  });

  it('emits billing.payment.updated for a change, and nothing for a repeat', async () => {
    const { svc, live, accountId } = await platform.account();
    for (let round = 0; round < 2; round += 1) await svc.call('billing.details.set', { name: 'Acme GmbH', address });
    const events = (await platform.events(live)).filter(({ type }) => type === 'billing.payment.updated');
    expect(events).to.have.length(1);
    expect(events[0]).to.deep.include({ subjectId: accountId });
    expect(events[0]?.data).to.deep.include({ standing: 'good', paymentMethod: null, invoice: null });
  });

  it('is one setting of the account, and merges calls that race', async () => {
    const { svc } = await platform.account();
    await Promise.all([
      svc.call('billing.details.set', { name: 'Acme GmbH' }),
      svc.call('billing.details.set', { taxId: 'DE1' }),
      svc.call('billing.details.set', { email: 'ap@acme.example' }),
    ]);
    const { details } = await svc.call('billing.details.set', { address });
    expect(details).to.deep.include({ name: 'Acme GmbH', taxId: 'DE1', email: 'ap@acme.example' });
  });

  it('keeps what somebody else has saved meanwhile, if it says what it has read', async () => {
    const { svc, accountId } = await platform.account();
    expect((await svc.call('billing.get', {})).details).to.equal(null);
    const neverSet = new Date(0).toISOString();
    const save = (name: string, ifUnchangedSince: string) =>
      svc.call('billing.details.set', { name, ifUnchangedSince });
    const { details } = await save('Acme GmbH', neverSet);
    expect((await svc.refusal('billing.details.set', { name: 'Ada', ifUnchangedSince: neverSet })).code).to.equal(
      'changed_meanwhile',
    );
    // The row of the account changes with each payment, and its details do not.
    await platform.running.services.database.run(
      'UPDATE billing_account SET updated_at = updated_at + INTERVAL 1 HOUR WHERE account_id = UNHEX(?)',
      [accountId.replaceAll('-', '')],
    );
    expect((await svc.call('billing.get', {})).details).to.deep.equal(details);
    const later = await save('Acme AG', details.updatedAt);
    const refused = await svc.refusal('billing.details.set', { name: 'Ada', ifUnchangedSince: details.updatedAt });
    expect(refused.details).to.deep.include({ updatedAt: later.details.updatedAt });
    expect((await svc.call('billing.get', {})).details).to.deep.equal(later.details);
  });

  it('refuses a country that does not exist and line breaks', async () => {
    const { svc } = await platform.account();
    const country = await svc.refusal('billing.details.set', { address: { country: 'XX' } });
    expect(country).to.deep.include({ code: 'invalid_input', details: { field: 'address.country' } });
    const name = await svc.refusal('billing.details.set', { name: 'Acme\nGmbH' });
    expect(name).to.deep.include({ code: 'invalid_input', details: { field: 'name' } });
    expect((await svc.refusal('billing.details.set', {})).code).to.equal('invalid_input');
  });
});
