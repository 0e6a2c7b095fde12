import { expect } from 'chai';
import type { Environment } from '#core/kernel/caller/caller.js';
import { ownRecords } from '#test/support/own-records.js';
import { days, hours } from '#test/support/clock.js';
import { addDomain, recordOf, useDomains, verifiedDomain } from './support.js';

describe('The checks of sending domains in the background', () => {
  const { platform, names, mail } = useDomains();

  const typesOf = async (environment: Environment): Promise<string[]> =>
    (await platform.events(environment)).map(({ type }) => type).filter((type) => type.startsWith('email.domain.'));

  const after = async (ms: number): Promise<void> => {
    platform.clock.advance(ms);
    await platform.settled();
  };

  it('verify a pending domain within the hour once its records are there', async () => {
    const { svc, live } = await platform.account();
    const { id, records } = await addDomain(svc);
    names.dns.publish(records);
    await after(hours(1));
    expect((await svc.call('email.domain.get', { domainId: id })).domain.status).to.equal('verified');
    expect((await typesOf(live)).slice(2)).to.deep.equal(['email.domain.verified', 'email.domain.active']);
  });

  it('look a verified domain up each day: pending when a record is missing, failed after 72 hours, and back', async () => {
    const { svc, live, ownerEmail } = await platform.account();
    const domain = await verifiedDomain(svc, names.dns);
    const { name, value } = recordOf(domain, 'return_path', 'MX');
    const statusOf = async (): Promise<string> =>
      (await svc.call('email.domain.get', { domainId: domain.id })).domain.status;
    const mailsAbout = (words: string): number =>
      mail.smtp.received.filter(
        ({ recipients, parsed }) =>
          recipients.includes(ownerEmail) && parsed.subject === words.replace('{}', domain.domain),
      ).length;
    await after(hours(1));
    names.dns.mx(name);
    await after(hours(23));
    expect(await statusOf(), 'not looked up before a day is over').to.equal('verified');
    await after(hours(1));
    expect(await statusOf()).to.equal('pending');
    await mail.smtp.waitFor(() => mailsAbout('DNS records of {} are missing') === 1);
    await after(hours(71));
    expect(await statusOf()).to.equal('pending');
    await after(hours(1));
    expect(await statusOf()).to.equal('failed');
    await mail.smtp.waitFor(() => mailsAbout('Verification of the sending domain failed: {}') === 1);
    await after(days(1));
    expect(await statusOf()).to.equal('failed');
    names.dns.mx(name, value);
    await after(days(1));
    expect(await statusOf()).to.equal('verified');
    expect(await ownRecords(svc, domain.id)).to.deep.equal([
      'email.domain.verify status=verified',
      'email.domain.verify status=failed',
      'email.domain.verify status=pending',
    ]);
    expect((await typesOf(live)).slice(4)).to.deep.equal([
      'email.domain.pending',
      'email.domain.failed',
      'email.domain.verified',
      'email.domain.active',
    ]);
    expect([
      mailsAbout('DNS records of {} are missing'),
      mailsAbout('Verification of the sending domain failed: {}'),
    ]).to.deep.equal([1, 1]);
  });

  it('fail a domain whose records were never published, after 72 hours', async () => {
    const { svc } = await platform.account();
    const { id } = await addDomain(svc);
    for (let hour = 0; hour < 72; hour += 12) await after(hours(12));
    expect((await svc.call('email.domain.get', { domainId: id })).domain.status).to.equal('failed');
  });

  it('fail nothing while the clocks cannot be trusted, and let no domain wait for a time of the future', async () => {
    const { svc } = await platform.account();
    const { id } = await addDomain(svc);
    const statusOf = async (): Promise<string> => (await svc.call('email.domain.get', { domainId: id })).domain.status;
    platform.clock.trust(false);
    for (let day = 0; day < 4; day += 1) await after(days(1));
    expect(await statusOf()).to.equal('pending');
    expect((await svc.call('email.domain.verify', { domainId: id })).domain.status).to.equal('pending');
    platform.clock.trust(true);
    await after(hours(1));
    expect(await statusOf()).to.equal('failed');

    const domain = await verifiedDomain(svc, names.dns);
    const { name, value } = recordOf(domain, 'return_path', 'MX');
    const shown = async (): Promise<string> =>
      (await svc.call('email.domain.verify', { domainId: domain.id })).domain.status;
    names.dns.mx(name);
    // It becomes pending while the clock is ahead.
    await after(days(100));
    expect(await shown()).to.equal('pending');
    platform.clock.advance(-days(100));
    expect(await shown()).to.equal('pending');
    platform.clock.advance(hours(72));
    expect(await shown()).to.equal('failed');
    names.dns.mx(name, value);
  });

  it('change nothing while DNS cannot be asked', async () => {
    const { svc, live } = await platform.account();
    const domain = await verifiedDomain(svc, names.dns);
    const events = await typesOf(live);
    names.dns.fail('all');
    await after(days(2));
    names.dns.fail(null);
    expect((await svc.call('email.domain.get', { domainId: domain.id })).domain).to.deep.equal(domain);
    expect(await typesOf(live)).to.deep.equal(events);
    await after(hours(1));
    const { lastCheckedAt } = (await svc.call('email.domain.get', { domainId: domain.id })).domain;
    expect(lastCheckedAt).to.equal(platform.clock.now().toISOString());
  });

  it('happen once on two nodes', async () => {
    const { svc, live } = await platform.account();
    const node = await platform.secondNode();
    const { records } = await addDomain(svc);
    names.dns.publish(records);
    platform.clock.advance(hours(1));
    await Promise.all([...platform.running.workers, ...node.running.workers].map((worker) => worker.idle()));
    await platform.settled();
    await node.stop();
    expect(await typesOf(live)).to.deep.equal([
      'email.domain.added',
      'email.domain.registered',
      'email.domain.verified',
      'email.domain.active',
    ]);
  });
});
