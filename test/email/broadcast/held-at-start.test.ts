import { expect } from 'chai';
import { ownRecords } from '#test/support/own-records.js';
import { days } from '#test/support/clock.js';
import { useDomains, verifiedDomain } from '../domain/support.js';
import { problemsOf, publish, publisher, reached, sendBroadcast, shown, subscribe } from './support.js';

describe('A scheduled broadcast whose domain failed before its time', () => {
  const { platform, names, mail } = useDomains();

  it('is held and says why; resumed, it is held again until the domain is verified', async () => {
    const sender = await publisher(platform);
    const { svc, live } = sender;
    const { id: domainId, domain, records } = await verifiedDomain(svc, names.dns);
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    await subscribe(sender, ['ada@held.example']);
    const scheduledAt = new Date(platform.clock.now().getTime() + days(5)).toISOString();
    const broadcastId = await sendBroadcast(sender, { from: `news@${domain}`, scheduledAt });
    for (const { name, type } of records) (type === 'TXT' ? names.dns.txt : names.dns.mx)(name);
    await svc.call('email.domain.verify', { domainId });
    platform.clock.advance(days(4));
    await svc.call('email.domain.verify', { domainId });
    platform.clock.advance(days(1));
    await reached(sender, broadcastId, 'held');
    const held = await svc.call('email.broadcast.get', { broadcastId });
    expect(held.broadcast).to.deep.include({ holdReason: 'not_ready', counts: null, sentAt: null });
    expect(problemsOf(held)).to.deep.equal(['sender_not_verified']);
    expect(held.readiness.audience).to.deep.include({ eligible: 1 });

    const resumed = await svc.call('email.broadcast.resume', { broadcastId });
    expect([resumed.broadcast.status, resumed.resumedMessages]).to.deep.equal(['scheduled', 0]);
    await platform.settled();
    expect(await shown(sender, broadcastId)).to.deep.include({ status: 'held', holdReason: 'not_ready' });
    expect((await ownRecords(svc, broadcastId))[0]).to.equal('email.broadcast.pause status=held holdReason=not_ready');
    expect(mail.smtp.received.some(({ recipients }) => recipients.includes('ada@held.example'))).to.equal(false);

    names.dns.publish(records);
    await svc.call('email.domain.verify', { domainId });
    await svc.call('email.broadcast.resume', { broadcastId });
    await reached(sender, broadcastId, 'sent');
    await mail.smtp.waitFor(() => mail.smtp.received.some(({ recipients }) => recipients.includes('ada@held.example')));
    const types = (await platform.events(live))
      .map(({ type }) => type)
      .filter((type) => /broadcast\.(pa|re)/.test(type));
    expect(types).to.deep.equal([
      'email.broadcast.paused',
      'email.broadcast.resumed',
      'email.broadcast.paused',
      'email.broadcast.resumed',
    ]);
  });
});
