import { expect } from 'chai';
import { seconds } from '#test/support/clock.js';
import { itNeeding } from '#test/support/products.js';
import { send, shown, useTexts } from './support.js';

describe('numbers of test environments that play an outcome', () => {
  const texts = useTexts();
  const { platform } = texts;
  const number = (digits: string): string => `+15005550${digits}`;

  itNeeding('audience')(
    'are delivered, refused, undelivered, deferred or answer STOP, and nothing is sent',
    async () => {
      const { svcTest } = await platform.account();
      const ids: string[] = [];
      for (const digits of ['006', '001', '002', '008', '004']) {
        const sent = await send(svcTest, { to: number(digits) });
        expect(sent, digits).to.include({ status: 'queued', blocked: null });
        ids.push(sent.messageId);
      }
      await platform.settled();
      const now = platform.clock.now().toISOString();
      const messages = await Promise.all(ids.map((messageId) => shown(svcTest, messageId)));
      expect(
        messages.map(({ status, deliveredAt, error }) => [status, deliveredAt, error?.code ?? null]),
      ).to.deep.equal([
        ['sent', now, null],
        ['failed', null, '21211'],
        ['failed', null, '30005'],
        ['queued', null, null],
        ['sent', now, null],
      ]);
      const { suppressions } = await svcTest.call('audience.suppression.list', {});
      expect(suppressions.map(({ phone, reason }) => [phone, reason])).to.deep.equal([[number('004'), 'stop']]);
      platform.clock.advance(seconds(5));
      await platform.settled();
      expect(await shown(svcTest, ids[3] ?? '')).to.include({
        status: 'sent',
        deliveredAt: platform.clock.now().toISOString(),
      });
      expect(texts.twilio.texts).to.deep.equal([]);
    },
  );

  itNeeding('audience')(
    'can be used again with other digits, because a number that answered STOP is suppressed',
    async () => {
      const { svcTest } = await platform.account();
      await send(svcTest, { to: number('004') });
      await platform.settled();
      expect((await send(svcTest, { to: number('004') })).blocked).to.include({ reason: 'suppressed_recipient' });
      expect(await send(svcTest, { to: number('014') })).to.include({ status: 'queued' });
    },
  );

  it('are numbers like any other in a live environment, and others are not sent to in a test one', async () => {
    const { svc, svcTest } = await platform.account();
    const { messageId } = await send(svc, { to: number('001') });
    await platform.settled();
    expect((await shown(svc, messageId)).status).to.equal('sent');
    expect(texts.arrivalsOf(messageId)).to.have.length(1);
    expect((await send(svcTest, { to: '+15005551001' })).blocked).to.include({ reason: 'test_environment' });
  });
});
