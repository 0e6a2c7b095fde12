import { expect } from 'chai';
import { hours } from '#test/support/clock.js';
import { itNeeding } from '#test/support/products.js';
import { ada, send, suppress, useTexts } from '../support.js';

describe('sms.message.list', () => {
  const { platform } = useTexts();

  itNeeding('audience')('lists newest first, in pages, by status, number and time', async () => {
    const { svc, svcTest, live } = await platform.account();
    const bob = '+4915123456780';
    const now = (): string => platform.clock.now().toISOString();
    const sendAfter = new Date(platform.clock.now().getTime() + hours(2)).toISOString();
    const first = await send(svc);
    platform.clock.advance(1_000);
    const middle = now();
    const waiting = await send(svc, { sendAfter });
    await suppress(platform, live, bob, 'stop');
    const blocked = await send(svc, { to: bob });
    await platform.settled();
    const ids = async (input: Parameters<typeof svc.call<'sms.message.list'>>[1]): Promise<string[]> =>
      (await svc.call('sms.message.list', input)).messages.map(({ messageId }) => messageId);
    const all = [blocked.messageId, waiting.messageId, first.messageId];
    expect(await ids({})).to.deep.equal(all);
    expect(await ids({ status: 'sent' })).to.deep.equal([first.messageId]);
    expect(await ids({ status: 'queued' })).to.deep.equal([waiting.messageId]);
    expect(await ids({ status: 'suppressed' })).to.deep.equal([blocked.messageId]);
    expect(await ids({ to: '+49 1512 3456780' })).to.deep.equal([blocked.messageId]);
    expect(await ids({ to: ada })).to.deep.equal(all.slice(1));
    expect(await ids({ since: middle })).to.deep.equal(all.slice(0, 2));
    expect(await ids({ until: middle })).to.deep.equal(all.slice(2));
    const page = await svc.call('sms.message.list', { limit: 2 });
    expect(page.nextBefore).to.equal(waiting.messageId);
    expect(await ids({ limit: 2, before: page.nextBefore ?? '' })).to.deep.equal([first.messageId]);
    expect((await svcTest.call('sms.message.list', {})).messages).to.deep.equal([]);
    const unknown = '01890a5d-ac96-774b-bcce-b302099a8300';
    for (const filter of [{ broadcastId: unknown }, { automationId: unknown }])
      expect(await svc.refusal('sms.message.list', filter)).to.include({ status: 404, code: 'not_found' });
  });

  it('shows what a closed account waits with as held', async () => {
    const { svc, live } = await platform.account();
    const sendAfter = new Date(platform.clock.now().getTime() + hours(2)).toISOString();
    const { messageId } = await send(svc, { sendAfter });
    await platform.running.services.database.run(
      `UPDATE svc_environment SET closed_at = NOW(3) WHERE id = UNHEX(REPLACE('${live.id}', '-', ''))`,
    );
    const { messages } = await svc.call('sms.message.list', { status: 'held' });
    expect(messages.map((each) => [each.messageId, each.status])).to.deep.equal([[messageId, 'held']]);
    expect((await svc.call('sms.message.list', { status: 'queued' })).messages).to.deep.equal([]);
  });
});
