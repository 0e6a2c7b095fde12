import { expect } from 'chai';
import { days, hours } from '#test/support/clock.js';
import { mailHosts, recordOf, useDomains, verifiedDomain } from './support.js';

describe('Records that a verified domain needs since the settings changed', () => {
  const { mail, platform, names } = useDomains({ SVC_MAIL_DOMAIN: mailHosts.SVC_MAIL_DOMAIN });

  it('are announced to the owners as new, and only what went missing as missing', async () => {
    const [first, second] = [await platform.account(), await platform.account()];
    const needing = await verifiedDomain(first.svc, names.dns);
    const broken = await verifiedDomain(second.svc, names.dns);
    // Optional, and never published.
    names.dns.txt(recordOf(needing, 'dmarc').name);
    const { SVC_MAIL_RETURN_HOST } = mailHosts;
    await platform.restart({ SVC_MAIL_RETURN_HOST });
    names.dns.txt(recordOf(broken, 'dkim', 'svc1').name);
    platform.clock.advance(days(1) + hours(1));
    await platform.settled();
    const mailsTo = (owner: string): { subject: string; text: string }[] =>
      mail.smtp.received
        .filter(({ recipients, parsed }) => recipients.includes(owner) && /example\.com/.test(parsed.subject ?? ''))
        .map(({ parsed }) => ({ subject: parsed.subject ?? '', text: parsed.text ?? '' }));
    await mail.smtp.waitFor(() => mailsTo(first.ownerEmail).length > 0 && mailsTo(second.ownerEmail).length > 1);

    const [announced, ...others] = mailsTo(first.ownerEmail);
    expect(others).to.deep.equal([]);
    expect(announced?.subject).to.equal(`New DNS records for ${needing.domain}`);
    expect(announced?.text).to.contain(`MX bounce.${needing.domain}`).and.not.to.contain('_dmarc');

    const warned = mailsTo(second.ownerEmail);
    expect(warned.map(({ subject }) => subject)).to.have.members([
      `DNS records of ${broken.domain} are missing`,
      `New DNS records for ${broken.domain}`,
    ]);
    const missing = warned.find(({ subject }) => subject.endsWith('are missing'));
    expect(missing?.text).to.contain(`svc1._domainkey.${broken.domain}`).and.not.to.contain('bounce.');
  });
});
