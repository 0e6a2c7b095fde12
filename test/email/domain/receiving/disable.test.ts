import { expect } from 'chai';
import { auditOf } from '#test/account/support.js';
import { useDomains, verifiedDomain } from '../support.js';

describe('email.domain.receiving.disable', () => {
  const { platform, names } = useDomains();

  it('removes the MX record from the list, with an event and an audit record; a repeat is answered as done', async () => {
    const { svc, live } = await platform.account();
    const verified = await verifiedDomain(svc, names.dns);
    const domainId = verified.id;
    await svc.call('email.domain.receiving.enable', { domainId });
    const { activityId, result } = await svc.envelope('email.domain.receiving.disable', { domainId });
    expect(result.domain).to.deep.equal(verified);
    const events = await platform.events(live);
    expect(events.at(-1)).to.deep.equal({
      type: 'email.domain.receiving_disabled',
      subjectId: domainId,
      activityId,
      data: result,
    });
    expect((await auditOf(platform, activityId)).changes).to.deep.equal([
      { field: 'receiving', from: true, to: false },
    ]);
    const again = await svc.envelope('email.domain.receiving.disable', { domainId });
    expect(again.result).to.deep.equal(result);
    expect((await auditOf(platform, again.activityId)).changes).to.deep.equal([]);
    expect(await platform.events(live)).to.deep.equal(events);
  });
});
