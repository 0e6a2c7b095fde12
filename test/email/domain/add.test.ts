import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { startupNotices } from '#plugins/email/startup-notices.js';
import { auditOf } from '#test/account/support.js';
import { addDomain, freshDomain, mailHosts, recordOf, useDomains, verifiedDomain } from './support.js';

describe('email.domain.add', () => {
  const { platform, names } = useDomains();

  it('answers with the records to publish, and writes events and an audit record', async () => {
    const { svc, live } = await platform.account();
    const name = freshDomain();
    const { activityId, result } = await svc.envelope('email.domain.add', { domain: name });
    const { domain } = result;
    expect(domain).to.deep.include({
      domain: name,
      status: 'pending',
      providerStatus: 'registered',
      receiving: false,
      lastCheck: null,
      lastCheckedAt: null,
      verifiedAt: null,
      createdAt: platform.clock.now().toISOString(),
    });
    expect(domain.blocker).to.contain('email.domain.verify');
    expect(
      domain.records.map(({ type, name: at, purpose, required, ok }) => ({ type, at, purpose, required, ok })),
    ).to.deep.equal([
      { type: 'TXT', at: `svc1._domainkey.${name}`, purpose: 'dkim', required: true, ok: null },
      { type: 'TXT', at: `svc2._domainkey.${name}`, purpose: 'dkim', required: false, ok: null },
      { type: 'MX', at: `bounce.${name}`, purpose: 'return_path', required: true, ok: null },
      { type: 'TXT', at: `bounce.${name}`, purpose: 'return_path', required: true, ok: null },
      { type: 'TXT', at: `_dmarc.${name}`, purpose: 'dmarc', required: false, ok: null },
    ]);
    expect(recordOf(domain, 'dkim', 'svc1').value).to.match(/^v=DKIM1; k=rsa; p=[A-Za-z0-9+/]{392}$/);
    expect(recordOf(domain, 'dkim', 'svc2').value).to.match(/^v=DKIM1; k=ed25519; p=[A-Za-z0-9+/]{43}=$/);
    expect(recordOf(domain, 'return_path', 'MX').value).to.equal(`10 ${mailHosts.SVC_MAIL_RETURN_HOST}`);
    expect(recordOf(domain, 'return_path', 'TXT').value).to.equal('v=spf1 include:_spf.relay-test.com ~all');
    expect(await platform.events(live)).to.deep.equal(
      ['email.domain.added', 'email.domain.registered'].map((type) => ({
        type,
        subjectId: domain.id,
        activityId,
        data: result,
      })),
    );
    expect(await auditOf(platform, activityId)).to.deep.include({
      subjectId: domain.id,
      changes: [
        { field: 'domain', from: null, to: name },
        { field: 'status', from: null, to: 'pending' },
      ],
    });
  });

  it('stores private keys sealed', async () => {
    const { svc } = await platform.account();
    const { id } = await addDomain(svc);
    const rows = await platform.running.services.database.rows<{ sealed: Buffer }>(
      'SELECT private_key_sealed AS sealed FROM email_domain_key WHERE domain_id = UNHEX(?)',
      [id.replaceAll('-', '')],
    );
    expect(rows).to.have.length(2);
    for (const { sealed } of rows) expect(sealed.toString('latin1')).not.to.contain('PRIVATE KEY');
  });

  it('takes international names in either form, and letters in either case', async () => {
    const { svc } = await platform.account();
    expect((await addDomain(svc, 'Bücher-Shop.Example')).domain).to.equal('xn--bcher-shop-9db.example');
    expect((await addDomain(svc, 'XN--BCHER-SHOP-9DB.example')).domain).to.equal('xn--bcher-shop-9db.example');
    expect((await svc.call('email.domain.list', {})).domains).to.have.length(1);
  });

  it('refuses names that cannot be an own domain', async () => {
    const { svc } = await platform.account();
    const cases = [
      'example',
      'https://example.com',
      'example.com/path',
      'example.com:25',
      'example.com.',
      'ada@example.com',
      '127.0.0.1',
      '[::1]',
      'exa mple.com',
      '-a.example.com',
      'example.com\r\n',
      `${'a'.repeat(64)}.com`,
      `${'abcdefgh.'.repeat(26)}com`,
      'com',
      'co.uk',
      'github.io',
      mailHosts.SVC_MAIL_DOMAIN,
      `shop.${mailHosts.SVC_MAIL_DOMAIN}`,
    ];
    for (const domain of cases) {
      const refusal = await svc.refusal('email.domain.add', { domain });
      expect(refusal, domain).to.include({ status: 400, code: 'invalid_domain' });
    }
    expect((await svc.call('email.domain.list', {})).domains).to.deep.equal([]);
  });

  it('answers with the domain where it is registered already, and writes no event', async () => {
    const { svc, live } = await platform.account();
    const domain = await addDomain(svc);
    const events = await platform.events(live);
    const again = await svc.envelope('email.domain.add', { domain: domain.domain.toUpperCase() });
    expect(again.result.domain).to.deep.equal(domain);
    expect((await auditOf(platform, again.activityId)).changes).to.deep.equal([]);
    expect(await platform.events(live)).to.deep.equal(events);
  });

  it('registers a domain once under concurrent calls', async () => {
    const { svc } = await platform.account();
    const domain = freshDomain();
    const added = await Promise.all(Array.from({ length: 4 }, () => addDomain(svc, domain)));
    expect(new Set(added.map(({ id }) => id)).size).to.equal(1);
  });

  it('is possible for several environments until one has verified the domain', async () => {
    const [first, second, third] = [await platform.account(), await platform.account(), await platform.account()];
    const { domain } = await addDomain(first.svc);
    await addDomain(second.svc, domain);
    await verifiedDomain(first.svc, names.dns, domain);
    const refusal = await third.svc.refusal('email.domain.add', { domain });
    expect(refusal).to.include({ status: 409, code: 'domain_taken' });
  });

  it('is refused in test environments', async () => {
    const { svcTest } = await platform.account();
    const refusal = await svcTest.refusal('email.domain.add', { domain: freshDomain() });
    expect(refusal).to.include({ status: 403, code: 'live_only' });
  });

  it('keeps at most 200 domains in an environment', async () => {
    const { svc, live } = await platform.account();
    const first = await addDomain(svc);
    const { database } = platform.running.services;
    const rows = Array.from({ length: 199 }, () => `(0x${newId().replaceAll('-', '')})`);
    await database.run(
      `INSERT INTO email_domain (id, environment_id, domain, active_domain, status, receiving, created_at)
       SELECT made.id, d.environment_id, HEX(made.id), HEX(made.id), d.status, 0, d.created_at
       FROM email_domain d, (${rows.map((row) => `SELECT ${row.slice(1, -1)} AS id`).join(' UNION ALL ')}) made
       WHERE d.environment_id = 0x${live.id.replaceAll('-', '')}`,
    );
    const refusal = await svc.refusal('email.domain.add', { domain: freshDomain() });
    expect(refusal).to.include({ status: 409, code: 'limit_reached' });
    await svc.call('email.domain.remove', { domainId: first.id });
    await addDomain(svc);
  });
});

describe('email.domain.add where the operator has not set the hosts', () => {
  const { platform, names } = useDomains({});

  it('leaves out the records of the return path, and says which setting is missing', async () => {
    const { svc } = await platform.account();
    const { records, blocker } = await addDomain(svc);
    expect(records.map(({ purpose }) => purpose)).to.deep.equal(['dkim', 'dkim', 'dmarc']);
    expect(blocker).to.contain('SVC_MAIL_RETURN_HOST');
  });

  it('leaves nothing in the way of a verified domain', async () => {
    const { svc } = await platform.account();
    expect(await verifiedDomain(svc, names.dns)).to.include({ status: 'verified', blocker: null });
  });
});

describe('email.domain.add without the relay’s SPF record', () => {
  const { platform, names } = useDomains({ SVC_MAIL_RETURN_HOST: 'bounces.svc-test.com' });

  it('leaves out the SPF record, and says which setting is missing', async () => {
    const { svc } = await platform.account();
    const { records, blocker } = await addDomain(svc);
    expect(records.map(({ type, purpose }) => `${type} ${purpose}`)).to.deep.equal([
      'TXT dkim',
      'TXT dkim',
      'MX return_path',
      'TXT dmarc',
    ]);
    expect(blocker).to.contain('SVC_MAIL_SPF_INCLUDE');
    expect(startupNotices(platform.running.services).join()).to.contain('SVC_MAIL_SPF_INCLUDE is not set');
    expect(await verifiedDomain(svc, names.dns)).to.include({ status: 'verified', blocker: null });
  });
});
