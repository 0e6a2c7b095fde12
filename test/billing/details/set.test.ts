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
    });
    const second = await svc.call('billing.details.set', { taxId: 'DE123456789', email: 'ap@acme.example' });
    expect(second.details).to.deep.equal({ ...first.details, taxId: 'DE123456789', email: 'ap@acme.example' });
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

  it('refuses a country that does not exist and line breaks', async () => {
    const { svc } = await platform.account();
    const country = await svc.refusal('billing.details.set', { address: { country: 'XX' } });
    expect(country).to.deep.include({ code: 'invalid_input', details: { field: 'address.country' } });
    const name = await svc.refusal('billing.details.set', { name: 'Acme\nGmbH' });
    expect(name).to.deep.include({ code: 'invalid_input', details: { field: 'name' } });
    expect((await svc.refusal('billing.details.set', {})).code).to.equal('invalid_input');
  });
});
