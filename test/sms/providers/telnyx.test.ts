import { expect } from 'chai';
import type { Api } from '#test/support/api.js';
import { minutes, seconds } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { startTelnyx, type TestTelnyx } from '#test/support/telnyx.js';
import { eventually } from '#test/support/eventually.js';
import { itNeeding } from '#test/support/products.js';
import { submission } from '../registration/submission.js';
import { send, shown } from '../support.js';

describe('Telnyx as the provider of texts', () => {
  const parts: { telnyx?: TestTelnyx } = {};
  const telnyx = (): TestTelnyx => {
    if (!parts.telnyx) throw new Error('Telnyx does not run yet: use it inside it() or a hook.');
    return parts.telnyx;
  };
  const platform = usePlatform({
    async settings() {
      parts.telnyx = await startTelnyx({ now: () => platform.clock.now() });
      return {
        SVC_SMS_URL: parts.telnyx.smsUrl,
        SVC_SMS_ALLOWED_COUNTRIES: 'US,DE',
        SVC_SMS_FROM: '+12125550100',
        SVC_SMS_REGISTRATION: 'not_required',
      };
    },
  });
  after(() => parts.telnyx?.close());

  it('takes texts, and reports what became of them under its signature', async () => {
    const { svc } = await platform.account();
    const { address } = platform.running;
    const [delivered, failed] = [await send(svc), await send(svc)];
    await platform.settled();
    const taken = (messageId: string) => {
      const found = telnyx().texts.find(({ webhookUrl }) => webhookUrl.endsWith(messageId));
      if (!found) throw new Error('The text did not reach Telnyx.');
      return found;
    };
    expect(taken(delivered.messageId)).to.include({ from: '+12125550100', to: '+4915123456789', text: 'Hello' });
    const now = platform.clock.now();
    expect(await telnyx().report(taken(delivered.messageId), address, { status: 'delivered', at: now })).to.equal(200);
    expect(
      await telnyx().report(taken(failed.messageId), address, { status: 'delivery_failed', code: '40008', at: now }),
    ).to.equal(200);
    expect((await shown(svc, delivered.messageId)).deliveredAt).to.equal(now.toISOString());
    const message = await shown(svc, failed.messageId);
    expect(message.status).to.equal('failed');
    expect(message.error).to.deep.equal({ code: '40008', message: 'The carrier refused it' });
  });

  it('is not believed without its signature, or with an old one', async () => {
    const { svc } = await platform.account();
    const { messageId } = await send(svc);
    await platform.settled();
    const text = telnyx().texts.find(({ webhookUrl }) => webhookUrl.endsWith(messageId));
    if (!text) throw new Error('The text did not reach Telnyx.');
    const stale = new Date(platform.clock.now().getTime() - minutes(5) - seconds(2));
    expect(await telnyx().report(text, platform.running.address, { status: 'delivered', at: stale })).to.equal(403);
    const forged = await fetch(`${platform.running.address}/v1/sms/status`, {
      method: 'POST',
      headers: { 'telnyx-timestamp': '1', 'telnyx-signature-ed25519': 'AAAA' },
      body: JSON.stringify({ data: { payload: { id: text.id, to: [{ status: 'delivery_failed' }] } } }),
    });
    expect(forged.status).to.equal(403);
    expect(await shown(svc, messageId)).to.include({ status: 'sent', deliveredAt: null });
  });

  itNeeding('audience')('refuses texts to people who answered STOP, who are then suppressed', async () => {
    const { svc } = await platform.account();
    const { messageId } = await send(svc, { to: '+12125550199' });
    await platform.settled();
    expect((await shown(svc, messageId)).error?.code).to.equal('40300');
    const { suppressions } = await svc.call('audience.suppression.list', {});
    expect(suppressions[0]).to.include({ phone: '+12125550199', reason: 'stop' });
  });

  itNeeding('audience')(
    'reports an expired text as failed, and an unreachable number, which is not suppressed',
    async () => {
      const { svc } = await platform.account();
      const [expired, unreachable] = [await send(svc), await send(svc)];
      await platform.settled();
      const at = platform.clock.now();
      const reports = new Map([
        [expired.messageId, { status: 'expired', at }],
        [unreachable.messageId, { status: 'delivery_failed', code: '40300', detail: 'Destination unreachable', at }],
      ]);
      for (const [messageId, report] of reports) {
        const text = telnyx().texts.find(({ webhookUrl }) => webhookUrl.endsWith(messageId));
        if (!text) throw new Error('The text did not reach Telnyx.');
        expect(await telnyx().report(text, platform.running.address, report)).to.equal(200);
      }
      expect(await shown(svc, expired.messageId)).to.deep.include({
        status: 'failed',
        error: { code: null, message: 'Message expired' },
      });
      expect((await shown(svc, unreachable.messageId)).error?.code).to.equal('40300');
      expect((await svc.call('audience.suppression.list', {})).suppressions).to.deep.equal([]);
    },
  );

  it('is asked again later where its queue is full', async () => {
    const { svc } = await platform.account();
    const { messageId } = await send(svc, { to: '+12125550198' });
    await platform.settled();
    expect(await shown(svc, messageId)).to.include({ status: 'queued' });
  });

  describe('without a clear answer to a delivery attempt', () => {
    const arrivals = (messageId: string) => telnyx().texts.filter(({ webhookUrl }) => webhookUrl.endsWith(messageId));
    const lookUps = (): number => telnyx().requests.filter((route) => route === 'GET /detail_records').length;

    /** Sends a text whose first delivery attempt goes wrong. @returns once that is recorded */
    async function sendWith(svc: Api, fault: 'cut' | 'taken and cut' | 'busy'): Promise<string> {
      telnyx().faults.push(fault);
      const { messageId } = await send(svc);
      await platform.settled();
      expect((await shown(svc, messageId)).status).to.equal('queued');
      return messageId;
    }
    async function after(ms: number): Promise<void> {
      platform.clock.advance(ms);
      await platform.settled();
    }

    it('finds by its status address a text that it took, which is sent once', async () => {
      const { svc } = await platform.account();
      const messageId = await sendWith(svc, 'taken and cut');
      await after(seconds(5));
      expect(await shown(svc, messageId)).to.include({ status: 'sent', error: null });
      expect(arrivals(messageId)).to.have.length(1);
    });

    it('gets a text again once it has had the time to record it, and did not', async () => {
      const { svc } = await platform.account();
      const messageId = await sendWith(svc, 'cut');
      for (const wait of [5, 15, 30, 60]) {
        await after(seconds(wait));
        expect(arrivals(messageId)).to.have.length(0);
      }
      await after(minutes(2));
      expect(arrivals(messageId)).to.have.length(1);
      expect((await shown(svc, messageId)).status).to.equal('sent');
    });

    it('tells of a text by its own report before it is asked', async () => {
      const { svc } = await platform.account();
      const messageId = await sendWith(svc, 'taken and cut');
      const before = lookUps();
      const [text] = arrivals(messageId);
      if (!text) throw new Error('The text did not reach Telnyx.');
      await telnyx().report(text, platform.running.address, { status: 'sent', at: platform.clock.now() });
      await after(seconds(5));
      expect((await shown(svc, messageId)).status).to.equal('sent');
      expect([lookUps(), arrivals(messageId).length]).to.deep.equal([before, 1]);
    });

    it('gets a text again at once if it really refused it', async () => {
      const { svc } = await platform.account();
      const before = lookUps();
      const messageId = await sendWith(svc, 'busy');
      await after(seconds(5));
      expect((await shown(svc, messageId)).status).to.equal('sent');
      expect([lookUps(), arrivals(messageId).length]).to.deep.equal([before, 1]);
    });
  });

  it('sells numbers and takes them back, and files registrations that they leave under', async () => {
    const { svc } = await platform.account();
    const { number } = await svc.call('sms.number.assign', { country: 'US', areaCode: '212' });
    expect(telnyx().purchases).to.deep.equal([number.number]);
    await svc.call('sms.registration.submit', submission());
    await eventually(
      async () => (await svc.call('sms.registration.get', {})).registration?.stage === 'active',
      'an active registration',
    );
    expect(telnyx().brands[0]).to.include({
      companyName: 'Acme GmbH',
      ein: '12-3456789',
      entityType: 'PRIVATE_PROFIT',
    });
    expect(telnyx().campaignNumbers).to.deep.equal([number.number]);
    const second = await svc.call('sms.number.assign', { country: 'US' });
    expect(telnyx().campaignNumbers).to.deep.equal([number.number, second.number.number]);
    await svc.call('sms.number.release', { numberId: second.number.id });
    await platform.settled();
    expect(telnyx().numbers.map((each) => each.number)).to.deep.equal([number.number]);
  });
});
