import { expect } from 'chai';
import { auditOf } from '#test/account/support.js';
import { addDomain, recordOf, useDomains, verifiedDomain } from '../support.js';

describe('email.domain.receiving.enable', () => {
  const { platform, names } = useDomains();

  it('adds the MX record to the list, with an event and an audit record', async () => {
    const { svc, live } = await platform.account();
    const { id, domain: name } = await verifiedDomain(svc, names.dns);
    const { activityId, result } = await svc.envelope('email.domain.receiving.enable', { domainId: id });
    const { domain } = result;
    expect(domain).to.include({ receiving: true, status: 'verified' });
    expect(recordOf(domain, 'receiving')).to.deep.equal({
      type: 'MX',
      name,
      value: '10 inbound.svc-test.com',
      purpose: 'receiving',
      required: false,
      ok: null,
    });
    expect(domain.blocker).to.contain('MX record');
    expect((await platform.events(live)).at(-1)).to.deep.equal({
      type: 'email.domain.receiving_enabled',
      subjectId: id,
      activityId,
      data: result,
    });
    expect((await auditOf(platform, activityId)).changes).to.deep.equal([
      { field: 'receiving', from: false, to: true },
    ]);

    names.dns.publish(domain.records);
    const checked = await svc.call('email.domain.verify', { domainId: id });
    expect(recordOf(checked.domain, 'receiving').ok).to.equal(true);
    expect(checked.domain.blocker).to.equal(null);
  });

  it('keeps a domain verified whose receiving record is missing', async () => {
    const { svc } = await platform.account();
    const { id } = await verifiedDomain(svc, names.dns);
    await svc.call('email.domain.receiving.enable', { domainId: id });
    const { domain, check } = await svc.call('email.domain.verify', { domainId: id });
    expect(check.ok).to.equal(true);
    expect(domain.status).to.equal('verified');
    expect(recordOf(domain, 'receiving').ok).to.equal(false);
  });

  it('answers a repeat as done, and writes no event', async () => {
    const { svc, live } = await platform.account();
    const { id } = await verifiedDomain(svc, names.dns);
    const first = await svc.call('email.domain.receiving.enable', { domainId: id });
    const events = await platform.events(live);
    expect(await svc.call('email.domain.receiving.enable', { domainId: id })).to.deep.equal(first);
    expect(await platform.events(live)).to.deep.equal(events);
  });

  it('is refused for a domain that is not verified', async () => {
    const { svc } = await platform.account();
    const { id } = await addDomain(svc);
    const refusal = await svc.refusal('email.domain.receiving.enable', { domainId: id });
    expect(refusal).to.include({ status: 409, code: 'domain_not_verified' });
  });
});
