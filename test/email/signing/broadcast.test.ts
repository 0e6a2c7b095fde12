import { expect } from 'chai';
import { hours } from '#test/support/clock.js';
import { needProducts } from '#test/support/products.js';
import { publish, publisher, reached, sendBroadcast, subscribe } from '../broadcast/support.js';
import { mailHosts, useDomains, verifiedDomain } from '../domain/support.js';
import { headerOf, suppress } from '../support.js';
import { signaturesOf, tagsOf } from './support.js';

describe('A broadcast from a verified domain', () => {
  needProducts('audience');
  const { mail, platform, names } = useDomains({ ...mailHosts, SVC_BASE_URL: 'https://localhost' });

  it('is signed for each recipient, one-click unsubscribe included, and keeps the domain in use until it has left', async () => {
    const sender = await publisher(platform);
    const { id, domain } = await verifiedDomain(sender.svc, names.dns);
    await publish(sender, { en: { subject: 'News for {{ contact.email }}', html: '<p>Hi</p>', text: 'Hi' } });
    const people = ['ada', 'bob', 'carol', 'dave'].map((name) => `${name}@news.example`);
    await subscribe(sender, people);
    await suppress(platform, sender.live, 'dave@news.example', 'bounce');
    const scheduledAt = new Date(platform.clock.now().getTime() + hours(1)).toISOString();
    const broadcastId = await sendBroadcast(sender, { from: `shop@${domain}`, scheduledAt });
    const refusal = await sender.svc.refusal('email.domain.remove', { domainId: id });
    expect(refusal).to.include({ code: 'domain_in_use' });
    platform.clock.advance(hours(1));
    await reached(sender, broadcastId, 'sent');
    const received = await mail.smtp.waitFor(3);
    for (const each of received) {
      expect(await signaturesOf(each.raw, names.dns)).to.have.members([`pass ${domain} svc1`, `pass ${domain} svc2`]);
      expect(headerOf(each, 'List-Unsubscribe-Post')).to.equal('List-Unsubscribe=One-Click');
      for (const tags of tagsOf(each.raw))
        expect(tags.get('h')?.split(':')).to.include.members(['list-unsubscribe', 'list-unsubscribe-post']);
      expect(each.envelopeFrom).to.match(new RegExp(`^bounce\\+.*@bounce\\.${domain.replaceAll('.', '\\.')}$`));
    }
    expect(new Set(received.map(({ envelopeFrom }) => envelopeFrom)).size).to.equal(3);
    await sender.svc.call('email.domain.remove', { domainId: id });
  });
});
