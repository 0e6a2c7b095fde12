import { expect } from 'chai';
import { sqlId } from '../support.js';
import { untilWaiting } from '#test/support/lock-waits.js';
import { useDomains, verifiedDomain } from '../domain/support.js';
import { draft, problemsOf, publish, publisher, subscribe, type Publisher } from './support.js';

describe('email.broadcast.send, where something is taken away between its check and its transaction', () => {
  const { platform, names } = useDomains();

  /**
   * Calls it while the draft is locked, so that it waits after its check, and does something meanwhile.
   * @returns the refusal's code
   */
  async function sendDuring({ svc }: Publisher, broadcastId: string, change: () => Promise<unknown>): Promise<string> {
    const { database } = platform.running.services;
    const refusal = await database.transaction(async (db) => {
      await db.rows(`SELECT id FROM email_broadcast WHERE id = ${sqlId(broadcastId)} FOR UPDATE`);
      const answer = svc.refusal('email.broadcast.send', { broadcastId });
      await untilWaiting(platform, 1, 'the call waits for the draft');
      await change();
      // In an object, so that the transaction ends before the answer is there.
      return { answer };
    });
    return (await refusal.answer).code;
  }

  async function ready(): Promise<{ sender: Publisher; broadcastId: string; domainId: string }> {
    const sender = await publisher(platform);
    const { id: domainId, domain } = await verifiedDomain(sender.svc, names.dns);
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    await subscribe(sender, ['ada@race.example']);
    const { broadcast } = await sender.svc.call('email.broadcast.create', draft(sender, { from: `news@${domain}` }));
    return { sender, broadcastId: broadcast.id, domainId };
  }

  it('refuses where the postal address was taken away, which every mail must contain', async () => {
    const { sender, broadcastId } = await ready();
    const clear = () => sender.svc.call('email.sender.set', { legalAddress: '' });
    expect(await sendDuring(sender, broadcastId, clear)).to.equal('broadcast_not_ready');
    const shown = await sender.svc.call('email.broadcast.get', { broadcastId });
    expect(shown.broadcast).to.deep.include({ status: 'draft', counts: null });
    expect(problemsOf(shown)).to.deep.equal(['legal_address_missing']);
  });

  it('refuses an archived topic, a deleted template and a removed domain, and sends nothing', async () => {
    for (const [code, operation, input] of [
      ['topic_archived', 'audience.topic.archive', { topic: 'news' }],
      ['template_not_published', 'email.template.delete', { template: 'news' }],
    ] as const) {
      const { sender, broadcastId } = await ready();
      expect(await sendDuring(sender, broadcastId, () => sender.svc.call(operation, input))).to.equal(code);
      const { broadcast } = await sender.svc.call('email.broadcast.get', { broadcastId });
      expect(broadcast).to.deep.include({ status: 'draft', counts: null });
    }
    const { sender, broadcastId, domainId } = await ready();
    const remove = () => sender.svc.call('email.domain.remove', { domainId });
    expect(await sendDuring(sender, broadcastId, remove)).to.equal('sender_not_verified');
  });
});
