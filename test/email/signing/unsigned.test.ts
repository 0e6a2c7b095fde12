import { expect } from 'chai';
import { days, hours, minutes } from '#test/support/clock.js';
import { needProducts } from '#test/support/products.js';
import { automationOf } from '../automation/support.js';
import {
  draft,
  problemsOf,
  publish,
  publisher,
  reached,
  sendBroadcast,
  shown,
  subscribe,
} from '../broadcast/support.js';
import { mailHosts, useDomains, verifiedDomain } from '../domain/support.js';
import type { DomainValue } from '#plugins/email/domains/resources.js';
import { headerOf, letter, send } from '../support.js';
import { signaturesOf } from './support.js';

describe('A domain of which no DKIM record resolves any more', () => {
  needProducts('audience');
  const { mail, platform, names } = useDomains({ ...mailHosts, SVC_BASE_URL: 'https://localhost' });

  const keyNames = ({ domain }: DomainValue): string[] => ['svc1', 'svc2'].map((key) => `${key}._domainkey.${domain}`);
  const unpublish = (domain: DomainValue): void => keyNames(domain).forEach((name) => names.dns.txt(name));
  const subjectsTo = (owner: string): string[] =>
    mail.smtp.received
      .filter(({ recipients }) => recipients.includes(owner))
      .map(({ parsed }) => parsed.subject ?? '')
      .filter((subject) => /domain|DNS|signed/.test(subject));

  it('sends no broadcast and activates no automation, and says which records to publish', async () => {
    const sender = await publisher(platform);
    const { svc } = sender;
    const domain = await verifiedDomain(svc, names.dns);
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    await subscribe(sender, ['ada@unsigned.example']);
    const from = `shop@${domain.domain}`;
    const { broadcast } = await svc.call('email.broadcast.create', draft(sender, { from }));
    unpublish(domain);
    await svc.call('email.domain.verify', { domainId: domain.id });
    const { readiness } = await svc.call('email.broadcast.get', { broadcastId: broadcast.id });
    expect(readiness.problems.map(({ code }) => code)).to.deep.equal(['sender_not_verified']);
    const [problem] = readiness.problems;
    expect(problem?.message).to.contain('would be sent unsigned');
    for (const name of keyNames(domain)) expect(problem?.fix).to.contain(`TXT ${name}`);
    expect(problem?.fix, 'recommends no domain that cannot sign').not.to.contain('an address at');
    expect(await svc.refusal('email.broadcast.send', { broadcastId: broadcast.id })).to.include({
      code: 'broadcast_not_ready',
    });
    const steps = [{ type: 'send', template: 'news', topic: 'news', from }];
    const automation = await automationOf(svc, { steps });
    expect(await svc.refusal('email.automation.activate', { automationId: automation.id })).to.include({
      code: 'automation_not_ready',
    });
  });

  it('holds a scheduled broadcast at its time, and one that is being sent at once, also when it is resumed', async () => {
    const sender = await publisher(platform);
    const { svc, live } = sender;
    const domain = await verifiedDomain(svc, names.dns);
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    await subscribe(sender, ['ada@held.example', 'bob@held.example']);
    const from = `shop@${domain.domain}`;
    mail.smtp.onRecipient = (address) => (address.endsWith('@held.example') ? { code: 451, message: 'Not now' } : null);
    const scheduledAt = new Date(platform.clock.now().getTime() + hours(1)).toISOString();
    const scheduled = await sendBroadcast(sender, { from, scheduledAt });
    const running = await sendBroadcast(sender, { from });
    await platform.settled();
    expect((await shown(sender, running)).status).to.equal('sending');
    unpublish(domain);
    await svc.call('email.domain.verify', { domainId: domain.id });
    await reached(sender, running, 'held');
    expect((await shown(sender, running)).holdReason).to.equal('not_ready');
    expect(problemsOf(await svc.call('email.broadcast.get', { broadcastId: running }))).to.deep.equal([
      'sender_not_verified',
    ]);
    await svc.call('email.broadcast.resume', { broadcastId: running });
    await platform.settled();
    expect(await shown(sender, running)).to.deep.include({ status: 'held', holdReason: 'not_ready' });
    platform.clock.advance(hours(1));
    await reached(sender, scheduled, 'held');

    mail.smtp.onRecipient = () => null;
    names.dns.publish(domain.records);
    await svc.call('email.domain.verify', { domainId: domain.id });
    for (const broadcastId of [running, scheduled]) {
      await svc.call('email.broadcast.resume', { broadcastId });
      await reached(sender, broadcastId, 'sent');
    }
    const received = mail.smtp.received.filter(({ recipients }) => recipients[0]?.endsWith('@held.example'));
    expect(received).to.have.lengthOf(4);
    for (const each of received) {
      expect(await signaturesOf(each.raw, names.dns)).to.include(`pass ${domain.domain} svc1`);
      expect(headerOf(each, 'List-Unsubscribe-Post')).to.equal('List-Unsubscribe=One-Click');
    }
    const paused = (await platform.events(live)).filter(({ type }) => type === 'email.broadcast.paused');
    expect(paused).to.have.lengthOf(3);
  });

  it('sends mail without a topic unsigned for 72 hours; mail under a topic waits until a record is back', async () => {
    const sender = await publisher(platform);
    const { svc, ownerEmail } = sender;
    const domain = await verifiedDomain(svc, names.dns);
    await subscribe(sender, ['ada@waits.example']);
    const from = `shop@${domain.domain}`;
    unpublish(domain);
    const since = platform.clock.now();
    const { domain: after } = await svc.call('email.domain.verify', { domainId: domain.id });
    expect(after).to.include({ status: 'pending', providerStatus: 'active' });
    expect(after.blocker).to.contain('No DKIM record resolves');
    for (const at of [since, new Date(since.getTime() + days(3))]) expect(after.blocker).to.contain(at.toISOString());
    await mail.smtp.waitFor(() => subjectsTo(ownerEmail).length > 0);
    expect(subjectsTo(ownerEmail)).to.deep.equal([`Mail from ${domain.domain} is no longer signed`]);

    const receipt = await send(svc, { from });
    expect(await signaturesOf((await mail.mailOf(receipt.messageId)).raw, names.dns)).to.deep.equal([]);
    const { messageId } = await svc.call('email.send', letter({ from, to: 'ada@waits.example', topic: 'news' }));
    await platform.settled();
    const waiting = await svc.call('email.message.get', { messageId });
    expect(waiting.message.status).to.equal('queued');
    expect(waiting.attempts[0]?.response).to.contain(`No DKIM record of ${domain.domain} resolves`);
    names.dns.publish(domain.records);
    await svc.call('email.domain.verify', { domainId: domain.id });
    platform.clock.advance(minutes(1));
    expect(await signaturesOf((await mail.mailOf(messageId)).raw, names.dns)).to.include(`pass ${domain.domain} svc1`);
  });

  it('names email.domain.add in the response of mail whose domain was removed', async () => {
    const sender = await publisher(platform);
    const { svc } = sender;
    const domain = await verifiedDomain(svc, names.dns);
    await subscribe(sender, ['ada@removed.example']);
    unpublish(domain);
    await svc.call('email.domain.verify', { domainId: domain.id });
    const input = letter({ from: `shop@${domain.domain}`, to: 'ada@removed.example', topic: 'news' });
    const { messageId } = await svc.call('email.send', input);
    await platform.settled();
    await svc.call('email.domain.remove', { domainId: domain.id });
    platform.clock.advance(minutes(1));
    await platform.settled();
    const { attempts } = await svc.call('email.message.get', { messageId });
    expect(attempts[1]?.response)
      .to.contain(`The domain ${domain.domain} was removed`)
      .and.to.contain('email.domain.add');
  });
});
