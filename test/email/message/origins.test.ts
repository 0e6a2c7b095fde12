import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { countAccepted } from '#plugins/email/stats/count.js';
import { send, sqlId, useMail } from '../support.js';

describe('email.message.list by origin', () => {
  const { platform } = useMail();

  it('shows the messages of a template, a broadcast or an automation', async () => {
    const { svc, live } = await platform.account();
    const { database, transaction } = platform.running.services;
    const [broadcastId, automationId] = [newId(), newId()];
    const origins = [
      { template: 'welcome', broadcastId: null, automationId: null },
      { template: 'welcome', broadcastId, automationId: null },
      { template: null, broadcastId: null, automationId },
    ];
    const ids: string[] = [];
    for (const origin of origins) {
      const { messageId } = await send(svc);
      ids.push(messageId);
      const assign = (id: string | null): string => (id === null ? 'NULL' : sqlId(id));
      await database.run(
        `UPDATE email_message SET template = ?, broadcast_id = ${assign(origin.broadcastId)}, automation_id = ${assign(origin.automationId)}
         WHERE id = ${sqlId(messageId)}`,
        [origin.template],
      );
      const message = { environmentId: live.id, ...origin, tags: {}, createdAt: platform.clock.now() };
      await transaction('Test', ({ db }) => countAccepted(db, message, 1));
    }
    await send(svc);
    const [plain, broadcast, automation] = ids;
    const listed = async (filter: object): Promise<string[]> =>
      (await svc.call('email.message.list', filter)).messages.map(({ messageId }) => messageId);
    expect(await listed({ template: 'welcome' })).to.deep.equal([broadcast, plain]);
    expect(await listed({ broadcastId })).to.deep.equal([broadcast]);
    expect(await listed({ automationId })).to.deep.equal([automation]);
    expect(await listed({ template: 'welcome', broadcastId, status: 'failed' })).to.deep.equal([]);
    const other = await platform.account();
    for (const filter of [{ template: 'welcome' }, { broadcastId }, { automationId }, { broadcastId: newId() }])
      expect(await other.svc.refusal('email.message.list', filter)).to.include({ status: 404, code: 'not_found' });
  });
});
