import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { publish, publisher, reached, sendBroadcast, shown, subscribe } from './support.js';

const hour = 3_600_000;

describe('email.broadcast.update of a scheduled broadcast', () => {
  const platform = usePlatform();
  const at = (hours: number): string => new Date(platform.clock.now().getTime() + hours * hour).toISOString();

  async function scheduled() {
    const sender = await publisher(platform);
    await subscribe(sender, ['ada@example.com']);
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    const broadcastId = await sendBroadcast(sender, { scheduledAt: at(2) });
    return {
      sender,
      broadcastId,
      update: (input: object) => sender.svc.call('email.broadcast.update', { broadcastId, ...input }),
    };
  }

  it('moves it to a later time, at which it is sent', async () => {
    const { sender, broadcastId, update } = await scheduled();
    const later = at(4);
    const { broadcast } = await update({ scheduledAt: later });
    expect(broadcast).to.include({ status: 'scheduled', scheduledAt: later });
    platform.clock.advance(3 * hour);
    await platform.settled();
    expect(await shown(sender, broadcastId)).to.include({ status: 'scheduled', counts: null });
    platform.clock.advance(2 * hour);
    await reached(sender, broadcastId, 'sent');
  });

  it('moves it to an earlier time', async () => {
    const { sender, broadcastId, update } = await scheduled();
    await update({ scheduledAt: at(1) });
    platform.clock.advance(1.5 * hour);
    await reached(sender, broadcastId, 'sent');
  });

  it('makes it a draft again, which is sent only when somebody sends it', async () => {
    const { sender, broadcastId, update } = await scheduled();
    const { broadcast } = await update({ scheduledAt: null });
    expect(broadcast).to.include({ status: 'draft', scheduledAt: null, templateVersion: null });
    await sender.svc.call('audience.topic.archive', { topic: 'news' });
    await sender.svc.call('audience.topic.restore', { topic: 'news' });
    platform.clock.advance(3 * hour);
    await platform.settled();
    expect((await shown(sender, broadcastId)).status).to.equal('draft');
    await update({ name: 'Later' });
    await sender.svc.call('email.broadcast.send', { broadcastId });
    await reached(sender, broadcastId, 'sent');
  });

  it('changes nothing else of it, and nothing once it is due', async () => {
    const { sender, broadcastId, update } = await scheduled();
    const refused = { code: 'broadcast_not_draft', status: 409 };
    const refusal = (input: object) => sender.svc.refusal('email.broadcast.update', { broadcastId, ...input });
    expect(await refusal({ name: 'Other' })).to.include(refused);
    expect(await refusal({ name: 'Other', scheduledAt: at(5) })).to.include(refused);
    expect(await refusal({ scheduledAt: at(-1) })).to.include({ code: 'invalid_input' });
    await update({ scheduledAt: at(1) });
    platform.clock.advance(2 * hour);
    await reached(sender, broadcastId, 'sent');
    expect(await refusal({ scheduledAt: at(5) })).to.include(refused);
  });
});
