import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { markDomainReferenced, freeDomain } from '#plugins/email/senders/verified.js';
import { auditOf } from '#test/account/support.js';
import { letter } from '../support.js';
import { addDomain, useDomains, verifiedDomain } from './support.js';

describe('email.domain.remove', () => {
  const { platform, names } = useDomains();

  it('removes the domain and its keys, so that mail from it is refused', async () => {
    const { svc, live } = await platform.account();
    const domain = await verifiedDomain(svc, names.dns);
    const { activityId, result } = await svc.envelope('email.domain.remove', { domainId: domain.id });
    expect(result.domain).to.deep.include({
      id: domain.id,
      providerStatus: 'unregistered',
      records: [],
      blocker: null,
    });
    expect((await platform.events(live)).at(-1)).to.deep.equal({
      type: 'email.domain.removed',
      subjectId: domain.id,
      activityId,
      data: result,
    });
    expect((await auditOf(platform, activityId)).summary).to.contain(domain.domain);
    const refusal = await svc.refusal('email.send', letter({ from: `shop@${domain.domain}` }));
    expect(refusal.code).to.equal('sender_not_verified');
    const id = `0x${domain.id.replaceAll('-', '')}`;
    expect(await platform.count('email_domain_key', `domain_id = ${id}`)).to.equal(0);
    expect(await platform.count('email_domain_queue', `id = ${id}`)).to.equal(0);
  });

  it('answers a repeat as done, with its own audit record and no event', async () => {
    const { svc, live } = await platform.account();
    const { id } = await addDomain(svc);
    const first = await svc.call('email.domain.remove', { domainId: id });
    const events = await platform.events(live);
    const again = await svc.envelope('email.domain.remove', { domainId: id });
    expect(again.result).to.deep.equal(first);
    expect((await auditOf(platform, again.activityId)).changes).to.deep.equal([]);
    expect(await platform.events(live)).to.deep.equal(events);
  });

  it('frees the domain for another environment, and for this one with new keys', async () => {
    const [first, second] = [await platform.account(), await platform.account()];
    const domain = await verifiedDomain(first.svc, names.dns);
    await first.svc.call('email.domain.remove', { domainId: domain.id });
    const again = await addDomain(first.svc, domain.domain);
    expect(again.records[0]?.value).not.to.equal(domain.records[0]?.value);
    expect((await verifiedDomain(second.svc, names.dns, domain.domain)).status).to.equal('verified');
  });

  it('is refused while the default sender of the live or the test environment uses the domain', async () => {
    const { svc, svcTest } = await platform.account();
    const { id, domain } = await verifiedDomain(svc, names.dns);
    for (const [caller, kind] of [
      [svc, 'live'],
      [svcTest, 'test'],
    ] as const) {
      await caller.call('email.sender.set', { from: `shop@${domain}` });
      const refusal = await svc.refusal('email.domain.remove', { domainId: id });
      expect(refusal).to.include({ status: 409, code: 'domain_in_use' });
      expect(refusal.message).to.contain(`1 default sender of the ${kind} environment`);
      await caller.call('email.sender.set', { from: (await caller.call('email.sender.get', {})).ownAddress });
    }
    await svc.call('email.domain.remove', { domainId: id });
  });

  it('is refused while something open uses the domain', async () => {
    const { svc, live } = await platform.account();
    const { id, domain } = await verifiedDomain(svc, names.dns);
    const { services } = platform.running;
    const broadcast = newId();
    const mark = (from: string): Promise<void> =>
      services.transaction('Test', async (context) => {
        context.actIn(live);
        await markDomainReferenced(context, live, from, { type: 'broadcast', id: broadcast });
      });
    await mark(`shop@${domain}`);
    const refusal = await svc.refusal('email.domain.remove', { domainId: id });
    expect(refusal).to.include({ code: 'domain_in_use' });
    expect(refusal.message).to.contain('1 broadcast');
    await services.database.transaction((db) => freeDomain(db, broadcast));
    await svc.call('email.domain.remove', { domainId: id });
    const late = await mark(`shop@${domain}`).catch((error: unknown) => error);
    expect(late, 'a removed domain cannot be used').to.include({ code: 'sender_not_verified' });
  });
});
