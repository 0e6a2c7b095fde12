import { expect } from 'chai';
import { rollUp } from '#core/messaging/stats/roll-up.js';
import { statTables } from '#plugins/sms/tables/stat.js';
import { twilioRefusals } from '#test/support/twilio.js';
import { itNeeding } from '#test/support/products.js';
import { ada, send, suppress, useTexts } from '../support.js';

describe('sms.stats.get', () => {
  const texts = useTexts();
  const { platform } = texts;

  itNeeding('audience')('counts texts by status, and the segments of those that were sent', async () => {
    const { svc, live } = await platform.account();
    const bob = '+4915123456780';
    const day = platform.clock.now().toISOString().slice(0, 10);
    const next = new Date(platform.clock.now().getTime() + 86_400_000).toISOString();
    const period = { since: day, until: next.slice(0, 10) };
    await send(svc, { body: 'a'.repeat(161) });
    await send(svc);
    const waiting = await send(svc, { sendAfter: next });
    const cancelled = await send(svc, { sendAfter: next, body: 'a'.repeat(400) });
    await svc.call('sms.message.cancel', { messageId: cancelled.messageId });
    await suppress(platform, live, bob, 'stop');
    await send(svc, { to: bob });
    await platform.settled();
    texts.twilio.refusals.set(ada, twilioRefusals.invalidTo);
    await send(svc, { body: 'a'.repeat(200) });
    await platform.settled();
    texts.twilio.refusals.clear();
    expect(waiting.status).to.equal('queued');
    const counts = { queued: 1, sent: 2, failed: 1, suppressed: 1, cancelled: 1, received: 0, segments: 3 };
    const expected = { days: [{ date: day, ...counts }], total: counts };
    expect(await svc.call('sms.stats.get', period)).to.deep.equal(expected);
    await rollUp(platform.running.services.database, statTables);
    expect(await svc.call('sms.stats.get', period), 'rolled up').to.deep.equal(expected);
  });

  it('counts received texts, those that are delivered twice once', async () => {
    const { svc } = await platform.account();
    const { number } = await svc.call('sms.number.assign', { country: 'US' });
    const url = `${platform.running.services.deployment.baseUrl}/v1/sms/inbound`;
    for (const sid of ['SM1', 'SM2', 'SM2'])
      await texts.twilio.deliver(url, platform.running.address, { from: ada, to: number.number, body: 'Hi', sid });
    const since = platform.clock.now().toISOString().slice(0, 10);
    const until = new Date(platform.clock.now().getTime() + 86_400_000).toISOString().slice(0, 10);
    const { total } = await svc.call('sms.stats.get', { since, until });
    expect(total).to.include({ received: 2, sent: 0 });
  });

  itNeeding('audience')('refuses an empty period, one that is too long, and two filters', async () => {
    const { svc } = await platform.account();
    const id = '01890a5d-ac96-774b-bcce-b302099a8300';
    const cases: readonly (readonly [object, string])[] = [
      [{ since: '2026-11-20', until: '2026-11-20' }, 'until'],
      [{ since: '2025-01-01', until: '2026-11-20' }, 'until'],
      [{ since: '2026-11-20', until: '2026-11-21', broadcastId: id, automationId: id }, 'automationId'],
    ];
    for (const [input, field] of cases) {
      const refused = await svc.refusal('sms.stats.get', input);
      expect(refused).to.include({ code: 'invalid_input' });
      expect(refused.details['field']).to.equal(field);
    }
    for (const filter of [{ broadcastId: id }, { automationId: id }]) {
      const unknown = { since: '2026-11-20', until: '2026-11-21', ...filter };
      expect(await svc.refusal('sms.stats.get', unknown)).to.include({ status: 404, code: 'not_found' });
    }
  });
});
