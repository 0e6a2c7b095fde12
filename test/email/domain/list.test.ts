import { expect } from 'chai';
import { addDomain, useDomains, verifiedDomain } from './support.js';

describe('email.domain.list', () => {
  const { platform, names } = useDomains();

  it('lists the environment’s domains, newest first, in pages', async () => {
    const { svc, svcTest } = await platform.account();
    const other = await platform.account();
    await addDomain(other.svc);
    const [first, second, third] = [await addDomain(svc), await addDomain(svc), await addDomain(svc)];
    const page = await svc.call('email.domain.list', { limit: 2 });
    expect(page.domains).to.deep.equal([third, second]);
    const rest = await svc.call('email.domain.list', { limit: 2, before: page.nextBefore ?? '' });
    expect(rest).to.deep.equal({ domains: [first], nextBefore: null });
    expect((await svcTest.call('email.domain.list', {})).domains).to.deep.equal([]);
  });

  it('lists those of one status, and no removed ones', async () => {
    const { svc } = await platform.account();
    const [pending, removed] = [await addDomain(svc), await addDomain(svc)];
    const verified = await verifiedDomain(svc, names.dns);
    await svc.call('email.domain.remove', { domainId: removed.id });
    const idsOf = async (status: 'pending' | 'verified' | 'failed'): Promise<string[]> =>
      (await svc.call('email.domain.list', { status })).domains.map(({ id }) => id);
    expect(await idsOf('pending')).to.deep.equal([pending.id]);
    expect(await idsOf('verified')).to.deep.equal([verified.id]);
    expect(await idsOf('failed')).to.deep.equal([]);
  });
});
