import { expect } from 'chai';
import { addDomain, recordOf, useDomains, verifiedDomain } from './support.js';

describe('email.domain.get', () => {
  const { platform, names } = useDomains();

  it('shows the domain with its records and what the last check found for each', async () => {
    const { svc } = await platform.account();
    const added = await addDomain(svc);
    expect((await svc.call('email.domain.get', { domainId: added.id })).domain).to.deep.equal(added);
    const verified = await verifiedDomain(svc, names.dns, added.domain);
    const { domain } = await svc.call('email.domain.get', { domainId: added.id });
    expect(domain).to.deep.equal(verified);
    expect(domain).to.include({ status: 'verified', providerStatus: 'active', blocker: null });
    expect(domain.records.map(({ ok }) => ok)).to.deep.equal([true, true, true, true, true]);
    expect(recordOf(domain, 'dmarc').ok).to.equal(true);
    expect(domain.lastCheck?.records.map(({ found }) => found)).to.deep.equal(
      domain.records.map(({ value }) => [value]),
    );
  });

  it('answers not_found for a removed domain', async () => {
    const { svc } = await platform.account();
    const { id } = await addDomain(svc);
    await svc.call('email.domain.remove', { domainId: id });
    expect(await svc.refusal('email.domain.get', { domainId: id })).to.include({ status: 404, code: 'not_found' });
  });
});
