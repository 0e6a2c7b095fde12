import { expect } from 'chai';
import { hours } from '#test/support/clock.js';
import { send, shown, useTexts } from './support.js';

describe('texts of a closed account', () => {
  const texts = useTexts();
  const { platform } = texts;
  const inHours = (n: number): string => new Date(platform.clock.now().getTime() + hours(n)).toISOString();

  it('are held, and continue once it is open again; messages due a day earlier are cancelled', async () => {
    const { svc, live } = await platform.account();
    const old = await send(svc, { sendAfter: inHours(1) });
    const recent = await send(svc, { sendAfter: inHours(20) });
    const later = await send(svc, { sendAfter: inHours(40) });
    await svc.call('account.close', { reason: 'We moved.' });
    platform.clock.advance(hours(30));
    await platform.settled();
    expect((await shown(svc, old.messageId)).status).to.equal('held');
    await svc.call('account.reopen', {});
    await platform.settled();
    const statuses = await Promise.all([old, recent, later].map(({ messageId }) => shown(svc, messageId)));
    expect(statuses.map(({ status }) => status)).to.deep.equal(['cancelled', 'sent', 'queued']);
    expect(texts.arrivalsOf(old.messageId)).to.deep.equal([]);
    expect(texts.arrivalsOf(recent.messageId)).to.have.length(1);
    const cancelled = (await platform.events(live)).filter(({ type }) => type === 'sms.cancelled');
    expect(cancelled.map(({ subjectId }) => subjectId)).to.deep.equal([old.messageId]);
  });
});
