import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { startupNotices } from '#plugins/email/startup-notices.js';
import { itNeeding } from '#test/support/products.js';
import { addDomain, recordOf, useDomains, verifiedDomain, mailHosts } from '../domain/support.js';
import { headerOf, send } from '../support.js';
import { newDkimKey, signaturesOf, tagsOf } from './support.js';

describe('DKIM signatures', () => {
  const { mail, platform, names } = useDomains({ ...mailHosts, SVC_BASE_URL: 'https://localhost' });

  it('are made with each key of a verified domain, and verify', async () => {
    const { svc } = await platform.account();
    const { domain } = await verifiedDomain(svc, names.dns);
    const { messageId } = await send(svc, { from: `Shop <shop@${domain}>`, subject: 'Größe: “42”' });
    const { raw } = await mail.mailOf(messageId);
    expect(await signaturesOf(raw, names.dns)).to.have.members([`pass ${domain} svc1`, `pass ${domain} svc2`]);
    expect(tagsOf(raw).map((tags) => `${tags.get('a')} ${tags.get('c')}`)).to.have.members([
      'rsa-sha256 relaxed/relaxed',
      'ed25519-sha256 relaxed/relaxed',
    ]);
  });

  itNeeding('audience')('cover what readers see and what mail programs act on', async () => {
    const { svc } = await platform.account();
    const { domain } = await verifiedDomain(svc, names.dns);
    await svc.call('audience.topic.create', { key: 'news', name: 'News' });
    const email = `${newId()}@example.com`;
    const consents = [{ topic: 'news', channel: 'email' as const, source: 'form' }];
    await svc.call('audience.contact.upsert', { email, consents });
    const { messageId } = await send(svc, { to: email, from: `shop@${domain}`, html: '<p>Hi</p>', topic: 'news' });
    const arrived = await mail.mailOf(messageId);
    expect(headerOf(arrived, 'List-Unsubscribe-Post')).to.equal('List-Unsubscribe=One-Click');
    expect(await signaturesOf(arrived.raw, names.dns)).to.have.members([`pass ${domain} svc1`, `pass ${domain} svc2`]);
    for (const tags of tagsOf(arrived.raw))
      expect(tags.get('h')?.split(':')).to.include.members([
        'from',
        'to',
        'subject',
        'date',
        'message-id',
        'mime-version',
        'content-type',
        'list-unsubscribe',
        'list-unsubscribe-post',
      ]);
  });

  it('break when the message is changed on its way, or gets a second From', async () => {
    const { svc } = await platform.account();
    const { domain } = await verifiedDomain(svc, names.dns);
    const { messageId } = await send(svc, { from: `shop@${domain}`, text: 'Pay 10 euros.' });
    const text = (await mail.mailOf(messageId)).raw.toString('latin1');
    const changed = [
      text.replace('Pay 10', 'Pay 99'),
      text.replace('Subject: Hello', 'Subject: Hallo'),
      text.replace('\r\nTo: ', '\r\nFrom: eve@example.com\r\nTo: '),
      text.replace('\r\nTo: ', '\r\nSubject: Urgent\r\nTo: '),
    ];
    for (const each of changed) {
      expect(each).not.to.equal(text);
      const signatures = await signaturesOf(Buffer.from(each, 'latin1'), names.dns);
      expect(signatures.map((signature) => signature.startsWith('pass'))).to.deep.equal([false, false]);
    }
  });

  it('break when a second copy of a signed field is put before the message, also of one that it lacks', async () => {
    const { svc } = await platform.account();
    const { domain } = await verifiedDomain(svc, names.dns);
    const headers = { 'List-Id': '<news.example.com>' };
    const { messageId } = await send(svc, { from: `shop@${domain}`, html: '<p>Pay 10 euros.</p>', headers });
    const { raw } = await mail.mailOf(messageId);
    expect(await signaturesOf(raw, names.dns)).to.have.members([`pass ${domain} svc1`, `pass ${domain} svc2`]);
    for (const field of [
      'From: eve@example.com',
      'Sender: eve@example.com',
      'Reply-To: eve@example.com',
      'To: eve@example.com',
      'Cc: eve@example.com',
      'Subject: Urgent',
      'Date: Thu, 01 Jan 2026 00:00:00 +0000',
      'Message-ID: <other@example.com>',
      'In-Reply-To: <other@example.com>',
      'References: <other@example.com>',
      'List-Id: <other.example.com>',
      'List-Help: <https://eve.example/>',
      'List-Unsubscribe: <https://eve.example/>',
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=eve',
      'Content-Transfer-Encoding: base64',
    ]) {
      const signatures = await signaturesOf(Buffer.concat([Buffer.from(`${field}\r\n`), raw]), names.dns);
      expect(
        signatures.map((each) => each.startsWith('pass')),
        field,
      ).to.deep.equal([false, false]);
    }
  });

  it('verify whatever the content is', async () => {
    const { svc } = await platform.account();
    const { domain } = await verifiedDomain(svc, names.dns);
    const contents = [
      { text: 'Trailing spaces   \n\ttabs\t\t\n\n\n\n' },
      { text: '.' },
      { text: `${'x'.repeat(5_000)}\n.\n..\nFrom me` },
      { text: 'Grüße 🎉\r\n'.repeat(300), html: `<p>${'Grüße  '.repeat(3_000)}</p>` },
      { subject: `Long ${'subject '.repeat(60)}`, text: 'a\r\rb\r\nc\n' },
      {
        attachments: [
          {
            filename: 'ü.bin',
            contentType: 'application/octet-stream',
            content: Buffer.alloc(300_000, 7).toString('base64'),
          },
        ],
      },
      { headers: { 'X-Note': '  spaced   out  ', 'List-Id': '<news.example.com>' } },
      {
        cc: ['bob@example.com', 'Carol <carol@example.com>'],
        replyTo: 'help@example.com',
        fromName: 'Ünï "quoted", name',
      },
    ];
    for (const content of contents) {
      const { messageId } = await send(svc, { from: `shop@${domain}`, ...content });
      const { raw } = await mail.mailOf(messageId);
      expect(await signaturesOf(raw, names.dns), JSON.stringify(content).slice(0, 60)).to.have.members([
        `pass ${domain} svc1`,
        `pass ${domain} svc2`,
      ]);
    }
  });

  it('are made only with keys whose record resolves', async () => {
    const { svc } = await platform.account();
    const added = await addDomain(svc);
    names.dns.publish(added.records.filter(({ required }) => required));
    await svc.call('email.domain.verify', { domainId: added.id });
    const { messageId } = await send(svc, { from: `shop@${added.domain}` });
    const { raw } = await mail.mailOf(messageId);
    expect(await signaturesOf(raw, names.dns)).to.deep.equal([`pass ${added.domain} svc1`]);
  });

  it('are made for the test environment of the domain’s project too', async () => {
    const account = await platform.account();
    const { domain } = await verifiedDomain(account.svc, names.dns);
    const { messageId } = await send(account.svcTest, { from: `shop@${domain}`, to: account.ownerEmail });
    const { raw } = await mail.mailOf(messageId);
    expect(await signaturesOf(raw, names.dns)).to.have.length(2);
  });

  it('are not made with the keys of a project that got the domain after the message was accepted', async () => {
    const [first, second] = [await platform.account(), await platform.account()];
    const { id, domain } = await verifiedDomain(first.svc, names.dns);
    const sendAfter = new Date(platform.clock.now().getTime() + 60_000).toISOString();
    const { messageId } = await send(first.svc, { from: `shop@${domain}`, sendAfter });
    await first.svc.call('email.domain.remove', { domainId: id });
    await verifiedDomain(second.svc, names.dns, domain);
    platform.clock.advance(61_000);
    const { raw } = await mail.mailOf(messageId);
    expect(tagsOf(raw)).to.deep.equal([]);
  });

  it('leave bounces to the domain’s own return path, once its record resolves', async () => {
    const { svc } = await platform.account();
    const { domain } = await verifiedDomain(svc, names.dns);
    const { messageId } = await send(svc, { from: `shop@${domain}` });
    const { envelopeFrom } = await mail.mailOf(messageId);
    expect(envelopeFrom.slice(envelopeFrom.indexOf('@'))).to.equal(`@bounce.${domain}`);
  });

  it('are no longer made with a key from the check on that did not find its record', async () => {
    const { svc } = await platform.account();
    const verified = await verifiedDomain(svc, names.dns);
    const selectors = async (): Promise<string[]> => {
      const { messageId } = await send(svc, { from: `shop@${verified.domain}` });
      return tagsOf((await mail.mailOf(messageId)).raw).map((tags) => tags.get('s') ?? '');
    };
    expect(await selectors()).to.have.members(['svc1', 'svc2']);
    const { name, value } = recordOf(verified, 'dkim', 'svc1');
    names.dns.txt(name);
    await svc.call('email.domain.verify', { domainId: verified.id });
    expect(await selectors()).to.deep.equal(['svc2']);
    names.dns.txt(name, value);
    await svc.call('email.domain.verify', { domainId: verified.id });
    expect(await selectors()).to.have.members(['svc1', 'svc2']);
  });

  it('are missed at the start where the deployment’s own domain has no key', () => {
    const notices = startupNotices(platform.running.services);
    expect(notices.filter((line) => line.includes('SVC_MAIL_DKIM_KEY is not set'))).to.have.length(1);
  });

  itNeeding('audience')(
    'are absent on mail from the projects’ own domains, which then offers no one-click unsubscribe',
    async () => {
      const { svc } = await platform.account();
      await svc.call('audience.topic.create', { key: 'news', name: 'News' });
      const email = `${newId()}@example.com`;
      const consents = [{ topic: 'news', channel: 'email' as const, source: 'form' }];
      await svc.call('audience.contact.upsert', { email, consents });
      const { messageId } = await send(svc, { to: email, topic: 'news' });
      const arrived = await mail.mailOf(messageId);
      expect(tagsOf(arrived.raw)).to.deep.equal([]);
      expect(headerOf(arrived, 'List-Unsubscribe')).to.match(/^<https:/);
      expect(headerOf(arrived, 'List-Unsubscribe-Post')).to.equal(undefined);
    },
  );
});

describe('DKIM signatures of the deployment’s own domain', () => {
  const key = newDkimKey();
  const { mail, platform, names } = useDomains({
    SVC_MAIL_DOMAIN: 'mail.svc-test.com',
    SVC_MAIL_DKIM_KEY: key,
    SVC_MAIL_DKIM_SELECTOR: 'deployment',
    SVC_MAIL_DKIM_UNSIGNED: 'date,message-id',
  });

  it('are made with SVC_MAIL_DKIM_KEY for every project, and leave out what the relay rewrites', async () => {
    const notice = startupNotices(platform.running.services).find((line) =>
      line.includes('deployment._domainkey.mail.svc-test.com'),
    );
    names.dns.txt('deployment._domainkey.mail.svc-test.com', /v=DKIM1.*$/.exec(notice ?? '')?.[0] ?? '');
    const { svc } = await platform.account();
    const { messageId, from } = await send(svc);
    const { raw } = await mail.mailOf(messageId);
    expect(from).to.match(/\.mail\.svc-test\.com$/);
    const rewritten = Buffer.from(
      raw.toString('latin1').replace(/^Message-ID:.*(?:\r\n .*)*/im, 'Message-ID: <relay@example.net>'),
      'latin1',
    );
    expect(rewritten.equals(raw)).to.equal(false);
    expect(await signaturesOf(rewritten, names.dns)).to.deep.equal(['pass mail.svc-test.com deployment']);
  });
});
