import { expect } from 'chai';
import { domainKeyCommands, type DomainKeyCommands } from '#plugins/email/ports.js';
import type { DomainValue } from '#plugins/email/domains/resources.js';
import { days, hours, minutes } from '#test/support/clock.js';
import type { Api } from '#test/support/api.js';
import { signaturesOf } from '../signing/support.js';
import { send } from '../support.js';
import { addDomain, freshDomain, recordOf, useDomains, verifiedDomain } from './support.js';

describe('New DKIM keys of a sending domain', () => {
  const { mail, platform, names } = useDomains();

  const asOperator = <T>(work: (commands: DomainKeyCommands) => Promise<T>): Promise<T> =>
    platform.running.services.transaction('npm run domain-keys', ({ use }) => work(use(domainKeyCommands)));
  const rotate = (domain: string): Promise<string> => asOperator((commands) => commands.rotate(domain));
  const shown = async (svc: Api, domainId: string): Promise<DomainValue> =>
    (await svc.call('email.domain.get', { domainId })).domain;
  const verify = async (svc: Api, domainId: string): Promise<DomainValue> =>
    (await svc.call('email.domain.verify', { domainId })).domain;
  const keysOf = ({ records }: DomainValue): string[] =>
    records
      .filter(({ purpose }) => purpose === 'dkim')
      .map(
        ({ name, required, ok }) => `${name.split('.')[0] ?? ''} ${required ? 'required' : 'optional'} ${String(ok)}`,
      );
  /** The signatures of a message that is sent now. */
  const signatures = async (svc: Api, domain: string): Promise<string[]> => {
    const { messageId } = await send(svc, { from: `shop@${domain}` });
    const found = await signaturesOf((await mail.mailOf(messageId)).raw, names.dns);
    return found.map((each) => each.replace(` ${domain}`, '')).sort();
  };

  it('sign once their records resolve; the old ones stay for seven days and are then deleted', async () => {
    const { svc, ownerEmail } = await platform.account();
    const { id, domain } = await verifiedDomain(svc, names.dns);
    const printed = await rotate(domain);
    const rotated = await shown(svc, id);
    expect(keysOf(rotated)).to.deep.equal([
      'svc1 required true',
      'svc2 optional true',
      'svc3 optional null',
      'svc4 optional null',
    ]);
    for (const selector of ['svc3', 'svc4']) {
      const { name, value } = recordOf(rotated, 'dkim', selector);
      expect(printed).to.contain(`TXT ${name}  ${value}`);
    }
    await mail.smtp.waitFor(() =>
      mail.smtp.received.some(
        ({ recipients, parsed }) => recipients.includes(ownerEmail) && parsed.subject === `New DKIM keys for ${domain}`,
      ),
    );
    const { activities } = await svc.call('account.activity.list', {});
    expect(activities[0]?.summary).to.contain(`new DKIM keys for ${domain}: publish svc3._domainkey.${domain}`);
    expect(await asOperator((commands) => commands.list(domain))).to.deep.equal([
      `${domain}  svc1  rsa  signs`,
      `${domain}  svc2  ed25519  signs`,
      `${domain}  svc3  rsa  not published`,
      `${domain}  svc4  ed25519  not published`,
    ]);

    names.dns.publish(rotated.records);
    platform.clock.advance(minutes(1));
    expect(keysOf(await verify(svc, id))).to.deep.equal([
      'svc1 optional true',
      'svc2 optional true',
      'svc3 required true',
      'svc4 optional true',
    ]);
    expect(await signatures(svc, domain)).to.deep.equal(['pass svc3', 'pass svc4']);

    platform.clock.advance(days(7) - minutes(1));
    expect(keysOf(await verify(svc, id))).to.have.lengthOf(4);
    platform.clock.advance(minutes(1));
    const after = await verify(svc, id);
    expect(keysOf(after)).to.deep.equal(['svc3 required true', 'svc4 optional true']);
    expect(after.status).to.equal('verified');
    expect(await platform.count('email_domain_key', `domain_id = UNHEX('${id.replaceAll('-', '')}')`)).to.equal(2);
  });

  it('leave the old keys while the clocks cannot be trusted, and for seven days after a clock that was ahead', async () => {
    const { svc } = await platform.account();
    const { id, domain } = await verifiedDomain(svc, names.dns);
    await rotate(domain);
    names.dns.publish((await shown(svc, id)).records);
    // They are replaced while the clock is ahead.
    platform.clock.advance(days(100));
    expect(keysOf(await verify(svc, id))).to.have.lengthOf(4);
    platform.clock.advance(-days(100));
    platform.clock.advance(minutes(1));
    expect(keysOf(await verify(svc, id))).to.have.lengthOf(4);
    platform.clock.trust(false);
    platform.clock.advance(days(8));
    expect(keysOf(await verify(svc, id))).to.have.lengthOf(4);
    platform.clock.trust(true);
    platform.clock.advance(minutes(1));
    expect(keysOf(await verify(svc, id))).to.deep.equal(['svc3 required true', 'svc4 optional true']);
  });

  it('are found within the hour, without a call', async () => {
    const { svc } = await platform.account();
    const { id, domain } = await verifiedDomain(svc, names.dns);
    await rotate(domain);
    await platform.settled();
    names.dns.publish((await shown(svc, id)).records);
    platform.clock.advance(hours(1));
    await platform.settled();
    expect(keysOf(await shown(svc, id))).to.include('svc3 required true');
  });

  it('break nothing where they are never published: the old ones sign, and the domain stays verified', async () => {
    const { svc } = await platform.account();
    const { id, domain } = await verifiedDomain(svc, names.dns);
    await rotate(domain);
    await platform.settled();
    platform.clock.advance(days(30));
    await platform.settled();
    const kept = await shown(svc, id);
    expect(kept).to.include({ status: 'verified', blocker: null });
    const fix = kept.lastCheck?.records.find(({ name }) => name.startsWith('svc3.'))?.fix;
    expect(fix).to.contain(`Publish a TXT record at svc3._domainkey.${domain}`);
    expect(await signatures(svc, domain)).to.deep.equal(['pass svc1', 'pass svc2']);
  });

  it('let the old records go as soon as they sign, and the old keys sign again if the new records go missing', async () => {
    const { svc } = await platform.account();
    const { id, domain } = await verifiedDomain(svc, names.dns);
    await rotate(domain);
    const rotated = await shown(svc, id);
    names.dns.publish(rotated.records);
    await verify(svc, id);
    const [first, third] = [recordOf(rotated, 'dkim', 'svc1'), recordOf(rotated, 'dkim', 'svc3')];
    names.dns.txt(third.name);
    const back = await verify(svc, id);
    expect(back.status).to.equal('verified');
    expect(keysOf(back)).to.include.members(['svc1 required true', 'svc3 optional false']);
    expect(await signatures(svc, domain)).to.deep.equal(['pass svc1', 'pass svc4']);
    names.dns.txt(third.name, third.value);
    names.dns.txt(first.name);
    const { check, domain: forth } = await svc.call('email.domain.verify', { domainId: id });
    expect(check, 'what is stored').to.deep.equal(forth.lastCheck);
    expect(forth).to.include({ status: 'verified', blocker: null });
    expect(keysOf(forth)).to.include.members(['svc1 optional false', 'svc3 required true']);
    expect(forth.lastCheck?.records.find(({ name }) => name === first.name)?.fix).to.contain('Nothing to do, unless');
    names.dns.txt(third.name);
    expect((await verify(svc, id)).status, 'no RSA key resolves').to.equal('pending');
  });

  it('are refused while earlier ones wait, and for a domain that nobody has verified', async () => {
    const { svc } = await platform.account();
    const { domain } = await verifiedDomain(svc, names.dns);
    await rotate(domain);
    const refusal = (name: string): Promise<string> => rotate(name).catch((error: unknown) => String(error));
    expect(await refusal(domain)).to.contain(`Publish TXT svc3._domainkey.${domain} first. Nothing was changed.`);
    const pending = await addDomain(svc, freshDomain());
    expect(await refusal(pending.domain)).to.contain(`No environment has verified ${pending.domain}`);
  });
});
