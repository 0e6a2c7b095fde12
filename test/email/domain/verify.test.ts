import { expect } from 'chai';
import { domainKeys } from '#plugins/email/tables/domain-key.js';
import { auditOf } from '#test/account/support.js';
import { hours, minutes } from '#test/support/clock.js';
import { letter } from '../support.js';
import { addDomain, recordOf, useDomains, verifiedDomain } from './support.js';

describe('email.domain.verify', () => {
  const { platform, names } = useDomains();

  it('verifies the domain once every required record resolves, with events and an audit record', async () => {
    const { svc, live } = await platform.account();
    const added = await addDomain(svc);
    names.dns.publish(added.records.filter(({ required }) => required));
    platform.clock.advance(minutes(1));
    const { activityId, result } = await svc.envelope('email.domain.verify', { domainId: added.id });
    const at = platform.clock.now().toISOString();
    expect(result.domain).to.deep.include({
      status: 'verified',
      providerStatus: 'active',
      blocker: null,
      verifiedAt: at,
    });
    expect(result.check).to.deep.include({ at, ok: true });
    expect(result.check).to.deep.equal(result.domain.lastCheck);
    expect(result.domain.records.map(({ required, ok }) => required === ok)).to.deep.equal([
      true,
      true,
      true,
      true,
      true,
    ]);
    const written = (await platform.events(live)).slice(-2);
    expect(written).to.deep.equal(
      ['email.domain.verified', 'email.domain.active'].map((type) => ({
        type,
        subjectId: added.id,
        activityId,
        data: { domain: result.domain },
      })),
    );
    expect((await auditOf(platform, activityId)).changes).to.deep.equal([
      { field: 'status', from: 'pending', to: 'verified' },
    ]);
  });

  it('writes no event when nothing changes', async () => {
    const { svc, live } = await platform.account();
    const { id } = await verifiedDomain(svc, names.dns);
    const events = await platform.events(live);
    const again = await svc.envelope('email.domain.verify', { domainId: id });
    expect(again.result.check.ok).to.equal(true);
    expect((await auditOf(platform, again.activityId)).changes).to.deep.equal([]);
    expect(await platform.events(live)).to.deep.equal(events);
  });

  it('reports each record with what was expected, what was found and what to do', async () => {
    const { svc } = await platform.account();
    const added = await addDomain(svc);
    names.dns.txt(`_dmarc.${added.domain}`, 'v=DMARC1; p=reject');
    const { domain, check } = await svc.call('email.domain.verify', { domainId: added.id });
    expect(domain).to.include({ status: 'pending', providerStatus: 'registered' });
    expect(domain.blocker).to.contain(`TXT svc1._domainkey.${added.domain}`);
    expect(check.ok).to.equal(false);
    expect(
      check.records.map(({ type, name, expected, found, ok }) => ({ type, name, expected, found, ok })),
    ).to.deep.equal(
      added.records.map(({ type, name, value, purpose }) => ({
        type,
        name,
        expected: value,
        found: purpose === 'dmarc' ? ['v=DMARC1; p=reject'] : [],
        ok: purpose === 'dmarc',
      })),
    );
    for (const { type, name, fix } of check.records.filter(({ ok }) => !ok))
      expect(fix).to.contain(`record at ${name} with ${type === 'MX' ? 'priority 10 and host' : 'this value'}`);
  });

  it('takes records as administrators write them', async () => {
    const { svc } = await platform.account();
    const added = await addDomain(svc);
    const key = recordOf(added, 'dkim', 'svc1');
    names.dns.publish(added.records);
    names.dns.txt(key.name, key.value.replace('v=DKIM1; k=rsa; p=', 'p=').replace(/(.{100})/g, '$1 '));
    names.dns.mx(`bounce.${added.domain}`, '5 BOUNCES.svc-test.com');
    names.dns.txt(
      `bounce.${added.domain}`,
      'site-verification=1',
      'v=spf1 ip4:192.0.2.1 include:_spf.relay-test.com -all',
    );
    const { check } = await svc.call('email.domain.verify', { domainId: added.id });
    expect(check.records.filter(({ ok }) => !ok)).to.deep.equal([]);
  });

  it('finds what is wrong with a record that is there', async () => {
    const { svc } = await platform.account();
    const added = await addDomain(svc);
    const { dns } = names;
    const [rsa, spf, mx, dmarc] = [
      recordOf(added, 'dkim', 'svc1'),
      recordOf(added, 'return_path', 'TXT'),
      recordOf(added, 'return_path', 'MX'),
      recordOf(added, 'dmarc'),
    ];
    const fixOf = async (name: string, type: string): Promise<string> => {
      const { check } = await svc.call('email.domain.verify', { domainId: added.id });
      return check.records.find((each) => each.name === name && each.type === type)?.fix ?? 'none';
    };
    dns.txt(rsa.name, rsa.value.replace('p=MII', 'p=MIX'));
    expect(await fixOf(rsa.name, 'TXT')).to.contain('another key');
    dns.txt(rsa.name, 'v=DKIM1; k=rsa; p=');
    expect(await fixOf(rsa.name, 'TXT'), 'a revoked key').to.contain('another key');
    dns.txt(rsa.name, rsa.value, 'v=DKIM1; p=AAAA');
    expect(await fixOf(rsa.name, 'TXT')).to.contain('Remove the other');
    dns.txt(spf.name, 'v=spf1 include:other.example -all');
    expect(await fixOf(spf.name, 'TXT')).to.contain('Add include:_spf.relay-test.com');
    dns.txt(spf.name, spf.value, 'v=spf1 -all');
    expect(await fixOf(spf.name, 'TXT')).to.contain('into one');
    const exchanger = 'priority 10 and host bounces.svc-test.com';
    dns.mx(mx.name);
    expect(await fixOf(mx.name, 'MX')).to.equal(`Publish an MX record at ${mx.name} with ${exchanger}.`);
    dns.mx(mx.name, '10 elsewhere.example');
    expect(await fixOf(mx.name, 'MX')).to.equal(`Replace the MX record at ${mx.name} with ${exchanger}.`);
    dns.mx(mx.name, '10 elsewhere.example', '20 bounces.svc-test.com');
    expect(await fixOf(mx.name, 'MX')).to.contain('lowest preference number');
    dns.txt(dmarc.name, dmarc.value, 'v=DMARC1; p=reject');
    expect(await fixOf(dmarc.name, 'TXT')).to.contain('Keep one');
  });

  it('takes the DMARC policy of the organization’s domain for a subdomain', async () => {
    const { svc } = await platform.account();
    names.dns.txt('_dmarc.dmarc-test.com', 'v=DMARC1; p=quarantine');
    names.dns.txt('_dmarc.mail.dmarc-test.com', 'a wildcard of the zone');
    const { id } = await addDomain(svc, 'mail.dmarc-test.com');
    const { domain } = await svc.call('email.domain.verify', { domainId: id });
    expect(recordOf(domain, 'dmarc').ok).to.equal(true);
  });

  it('takes an SPF record that redirects to the relay’s', async () => {
    const { svc } = await platform.account();
    const added = await addDomain(svc);
    const { name } = recordOf(added, 'return_path', 'TXT');
    names.dns.txt(name, 'v=spf1 redirect=_spf.relay-test.com');
    const { domain } = await svc.call('email.domain.verify', { domainId: added.id });
    expect(recordOf(domain, 'return_path', 'TXT').ok).to.equal(true);
  });

  it('shows at most ten records of a name, and the beginning of long ones', async () => {
    const { svc } = await platform.account();
    const added = await addDomain(svc);
    const { name } = recordOf(added, 'dmarc');
    names.dns.txt(name, ...Array.from({ length: 20 }, (_, index) => `${index} ${'x'.repeat(1_500)}`));
    const { check } = await svc.call('email.domain.verify', { domainId: added.id });
    const found = check.records.find((each) => each.name === name)?.found ?? [];
    expect(found.map(({ length }) => length)).to.deep.equal(Array.from({ length: 10 }, () => 1_000));
  });

  it('is refused where DNS cannot be asked for a required record, and changes nothing', async () => {
    const { svc, live } = await platform.account();
    const domain = await verifiedDomain(svc, names.dns);
    const events = await platform.events(live);
    names.dns.fail([recordOf(domain, 'dkim', 'svc1').name]);
    const refusal = await svc.refusal('email.domain.verify', { domainId: domain.id });
    names.dns.fail(null);
    expect(refusal).to.include({ status: 502, code: 'dns_lookup_failed' });
    expect((await svc.call('email.domain.get', { domainId: domain.id })).domain).to.deep.equal(domain);
    expect(await platform.events(live)).to.deep.equal(events);
  });

  it('only reports a look-up of an optional record that fails', async () => {
    const { svc } = await platform.account();
    const added = await addDomain(svc);
    names.dns.publish(added.records);
    const { name } = recordOf(added, 'dmarc');
    names.dns.fail([name]);
    const { domain, check } = await svc.call('email.domain.verify', { domainId: added.id });
    names.dns.fail(null);
    expect(domain.status).to.equal('verified');
    expect(check.records.find((each) => each.name === name)?.fix).to.contain('ESERVFAIL');
  });

  it('gives a domain to one of two environments that verify it at once', async () => {
    const [first, second] = [await platform.account(), await platform.account()];
    const mine = await addDomain(first.svc);
    const other = await addDomain(second.svc, mine.domain);
    // Both have the same key, so that one record proves both: two environments of one owner, who copied it.
    const { database } = platform.running.services;
    for (const { selector, publicKey } of await database.find(domainKeys, { domainId: mine.id }))
      await database.update(domainKeys, { domainId: other.id, selector }, { publicKey });
    names.dns.publish(mine.records);
    const calls = [
      { svc: first.svc, domainId: mine.id },
      { svc: second.svc, domainId: other.id },
    ];
    const answers = await Promise.all(
      calls.map(({ svc, domainId }) => svc.raw('/email/domain/verify', JSON.stringify({ domainId }))),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.text).to.contain('"code":"domain_taken"');
    expect(await platform.count('email_domain', `proven_domain = '${mine.domain}'`)).to.equal(1);
  });

  it('is refused while another environment has the domain, whose records are looked up at once then', async () => {
    const [before, now] = [await platform.account(), await platform.account()];
    const added = await addDomain(now.svc);
    const former = await verifiedDomain(before.svc, names.dns, added.domain);
    names.dns.publish(added.records);
    const refusal = await now.svc.refusal('email.domain.verify', { domainId: added.id });
    expect(refusal).to.include({ status: 409, code: 'domain_taken' });
    const shown = (await now.svc.call('email.domain.get', { domainId: added.id })).domain;
    expect([shown.status, shown.lastCheck?.ok]).to.deep.equal(['pending', true]);
    expect(shown.blocker).to.contain('Another environment');
    await platform.settled();
    expect((await before.svc.call('email.domain.get', { domainId: former.id })).domain.status).to.equal('pending');
    platform.clock.advance(hours(72));
    await platform.settled();
    expect((await before.svc.call('email.domain.get', { domainId: former.id })).domain.status).to.equal('failed');
    expect((await now.svc.call('email.domain.verify', { domainId: added.id })).domain.status).to.equal('verified');
  });

  it('lets the live and the test environment send from the domain, and nobody else', async () => {
    const account = await platform.account();
    const stranger = await platform.account();
    const added = await addDomain(account.svc);
    const from = `shop@${added.domain}`;
    expect(await account.svc.refusal('email.send', letter({ from }))).to.include({ code: 'sender_not_verified' });
    await verifiedDomain(account.svc, names.dns, added.domain);
    for (const svc of [account.svc, account.svcTest])
      expect((await svc.call('email.send', letter({ from, to: account.ownerEmail }))).from).to.equal(from);
    await account.svcTest.call('email.sender.set', { from });
    const elsewhere = await stranger.svc.refusal('email.send', letter({ from }));
    expect(elsewhere).to.include({ code: 'sender_not_verified' });
    expect(elsewhere.fix, 'recommends no domain of another account').not.to.contain(added.domain);
    const below = await account.svc.refusal('email.send', letter({ from: `shop@sub.${added.domain}` }));
    expect(below).to.include({ code: 'sender_not_verified' });
    expect(below.fix, 'recommends the verified domain').to.contain(`an address at ${added.domain},`);
  });

  it('makes a domain pending whose records went missing, and failed after 72 hours', async () => {
    const { svc, live } = await platform.account();
    const domain = await verifiedDomain(svc, names.dns);
    const { name } = recordOf(domain, 'dkim', 'svc1');
    const key = recordOf(domain, 'dkim', 'svc1').value;
    const verify = async () => (await svc.call('email.domain.verify', { domainId: domain.id })).domain;
    const send = letter({ from: `shop@${domain.domain}` });
    names.dns.txt(name);
    expect(await verify()).to.include({ status: 'pending', providerStatus: 'active' });
    await svc.call('email.send', send);
    platform.clock.advance(hours(72) + 1);
    expect(await verify()).to.include({ status: 'failed', providerStatus: 'registered' });
    expect(await svc.refusal('email.send', send)).to.include({ code: 'sender_not_verified' });
    names.dns.txt(name, key);
    expect(await verify()).to.include({ status: 'verified', providerStatus: 'active' });
    await svc.call('email.send', send);
    const types = (await platform.events(live))
      .map(({ type }) => type)
      .filter((type) => type.startsWith('email.domain.'));
    expect(types.slice(4)).to.deep.equal([
      'email.domain.pending',
      'email.domain.failed',
      'email.domain.verified',
      'email.domain.active',
    ]);
  });
});
