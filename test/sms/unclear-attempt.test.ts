import { expect } from 'chai';
import type { Api, ReplyOf } from '#test/support/api.js';
import { seconds } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import { itNeeding } from '#test/support/products.js';
import { twilioRefusals, type Fault } from '#test/support/twilio.js';
import { mobile, sendBroadcast, shown as broadcastShown, subscribe, texter } from './broadcast/support.js';
import { ada, ownNumber, send, shown, suppress, useTexts } from './support.js';

const handingOver = /^POST .*Messages\.json$/;
const lookingUp = /^GET .*Messages\.json$/;

describe('Texts whose delivery attempt had no clear answer', () => {
  const given = useTexts();
  const { platform } = given;
  const lookUps = (): number => given.twilio.requests.filter((request) => lookingUp.test(request)).length;

  /** Sends a text whose first delivery attempt goes wrong. @returns once that is recorded */
  async function sendWith(svc: Api, fault: Fault): Promise<string> {
    given.twilio.fail(handingOver, fault);
    const { messageId } = await send(svc);
    await recorded(messageId, 1);
    return messageId;
  }
  const attemptsOf = async (svc: Api, messageId: string): Promise<ReplyOf<'sms.message.get'>['attempts']> =>
    (await svc.call('sms.message.get', { messageId })).attempts;
  const countAttempts = (messageId: string): Promise<number> =>
    platform.count('sms_attempt', `HEX(message_id) = '${messageId.replaceAll('-', '')}'`);
  const recorded = (messageId: string, count: number): Promise<void> =>
    eventually(async () => (await countAttempts(messageId)) >= count, `${count} attempts`, 25_000);
  /** Lets the next attempt be made. */
  async function nextAttempt(messageId: string, after: number): Promise<void> {
    const before = await countAttempts(messageId);
    platform.clock.advance(seconds(after));
    await platform.settled();
    await recorded(messageId, before + 1);
  }

  it('are sent once where Twilio took them and the connection was cut', async () => {
    const { svc } = await platform.account();
    const messageId = await sendWith(svc, { kind: 'cut', carriedOut: true });
    expect((await shown(svc, messageId)).status).to.equal('queued');
    await nextAttempt(messageId, 5);
    expect(given.arrivalsOf(messageId)).to.have.length(1);
    expect(await shown(svc, messageId)).to.include({ status: 'sent', error: null });
    const [, second] = await attemptsOf(svc, messageId);
    expect(second?.response).to.include(given.arrivalsOf(messageId)[0]?.sid);
  });

  it('are sent once where Twilio took them and answered after the time-out', async function () {
    this.timeout(60_000);
    const { svc } = await platform.account();
    const gate: { open?: () => void } = {};
    const release = new Promise<void>((resolve) => {
      gate.open = resolve;
    });
    const messageId = await sendWith(svc, { kind: 'wait', release });
    gate.open?.();
    await nextAttempt(messageId, 5);
    expect(given.arrivalsOf(messageId)).to.have.length(1);
    expect((await shown(svc, messageId)).status).to.equal('sent');
  });

  for (const [name, fault] of [
    ['cut the connection', { kind: 'cut', carriedOut: false }],
    ['had an error of its own', { kind: 'refuse', refusal: twilioRefusals.internal }],
  ] as const)
    it(`are submitted again only once Twilio has had the time to know them: it ${name}`, async () => {
      const { svc } = await platform.account();
      const messageId = await sendWith(svc, fault);
      for (const after of [5, 15]) {
        await nextAttempt(messageId, after);
        expect(given.arrivalsOf(messageId)).to.have.length(0);
        expect((await shown(svc, messageId)).status).to.equal('queued');
      }
      await nextAttempt(messageId, 30);
      expect(given.arrivalsOf(messageId)).to.have.length(1);
      expect((await shown(svc, messageId)).status).to.equal('sent');
    });

  it('are not submitted again while the clocks cannot be trusted', async () => {
    const { svc } = await platform.account();
    const messageId = await sendWith(svc, { kind: 'cut', carriedOut: false });
    platform.clock.trust(false);
    await nextAttempt(messageId, 120);
    expect(given.arrivalsOf(messageId)).to.have.length(0);
    expect((await shown(svc, messageId)).status).to.equal('queued');
    platform.clock.trust(true);
    await nextAttempt(messageId, 600);
    expect(given.arrivalsOf(messageId)).to.have.length(1);
  });

  it('are submitted at once, without asking, where Twilio really refused them', async () => {
    const { svc } = await platform.account();
    const before = lookUps();
    const messageId = await sendWith(svc, { kind: 'refuse', refusal: twilioRefusals.tooMany });
    await nextAttempt(messageId, 5);
    expect(given.arrivalsOf(messageId)).to.have.length(1);
    expect(lookUps()).to.equal(before);
  });

  it('are not submitted again while Twilio cannot be asked', async () => {
    const { svc } = await platform.account();
    const messageId = await sendWith(svc, { kind: 'cut', carriedOut: true });
    const refused: Fault = { kind: 'refuse', refusal: twilioRefusals.internal };
    given.twilio.fail(lookingUp, refused, refused, refused);
    for (const after of [5, 15, 30]) await nextAttempt(messageId, after);
    expect(given.arrivalsOf(messageId)).to.have.length(1);
    expect((await shown(svc, messageId)).status).to.equal('queued');
    await nextAttempt(messageId, 60);
    expect((await shown(svc, messageId)).status).to.equal('sent');
    expect(given.arrivalsOf(messageId)).to.have.length(1);
  });

  it('are not submitted again if Twilio’s answer to the lookup is cut off', async () => {
    const { svc } = await platform.account();
    const messageId = await sendWith(svc, { kind: 'cut', carriedOut: true });
    const half: Fault = { kind: 'halve' };
    given.twilio.fail(lookingUp, half, half, half);
    for (const after of [5, 15, 30]) await nextAttempt(messageId, after);
    expect(given.arrivalsOf(messageId)).to.have.length(1);
    const [, second] = await attemptsOf(svc, messageId);
    expect(second?.response).to.include('its response is incomplete or not JSON');
    await nextAttempt(messageId, 60);
    expect((await shown(svc, messageId)).status).to.equal('sent');
    expect(given.arrivalsOf(messageId)).to.have.length(1);
  });

  it('are found among a hundred long texts to the same number', async () => {
    const { svc } = await platform.account();
    const body = '€'.repeat(1_600);
    for (let sent = 0; sent < 100; sent += 1) given.twilio.accept({ from: ownNumber, to: ada, body });
    const messageId = await sendWith(svc, { kind: 'cut', carriedOut: true });
    await nextAttempt(messageId, 60);
    expect((await shown(svc, messageId)).status).to.equal('sent');
    expect(given.arrivalsOf(messageId)).to.have.length(1);
  });

  it('are not taken for other texts of the same words to the same number', async () => {
    const { svc } = await platform.account();
    const other = await send(svc);
    await platform.settled();
    const messageId = await sendWith(svc, { kind: 'cut', carriedOut: false });
    for (const after of [5, 15, 30]) await nextAttempt(messageId, after);
    expect(given.arrivalsOf(messageId)).to.have.length(1);
    expect(given.arrivalsOf(other.messageId)).to.have.length(1);
  });

  it('are known by what Twilio reports of them, without asking', async () => {
    const { svc } = await platform.account();
    const messageId = await sendWith(svc, { kind: 'cut', carriedOut: true });
    const before = lookUps();
    const [taken] = given.arrivalsOf(messageId);
    if (!taken) throw new Error('The text did not reach Twilio.');
    expect((await given.twilio.report(taken, platform.running.address, { status: 'sent' })).status).to.equal(200);
    await nextAttempt(messageId, 5);
    expect(lookUps()).to.equal(before);
    expect(given.arrivalsOf(messageId)).to.have.length(1);
    await given.twilio.report(taken, platform.running.address, { status: 'undelivered', code: '30003' });
    expect((await shown(svc, messageId)).error?.code).to.equal('30003');
  });

  it('count as sent to somebody who says STOP meanwhile, and are not submitted again', async () => {
    const { svc, live } = await platform.account();
    const messageId = await sendWith(svc, { kind: 'cut', carriedOut: true });
    await suppress(platform, live, ada, 'stop');
    await nextAttempt(messageId, 5);
    expect(await shown(svc, messageId)).to.include({ status: 'sent', error: null });
    expect(given.arrivalsOf(messageId)).to.have.length(1);
  });

  itNeeding('audience')(
    'are suppressed for somebody who says STOP meanwhile, once it is known that nothing left',
    async () => {
      const { svc, live } = await platform.account();
      const messageId = await sendWith(svc, { kind: 'cut', carriedOut: false });
      await suppress(platform, live, ada, 'stop');
      await nextAttempt(messageId, 5);
      expect((await shown(svc, messageId)).status).to.equal('queued');
      platform.clock.advance(seconds(60));
      await eventually(async () => (await shown(svc, messageId)).status === 'suppressed', 'the text is suppressed');
      expect(given.arrivalsOf(messageId)).to.have.length(0);
    },
  );

  itNeeding('audience')(
    'of a broadcast that is cancelled count as sent where Twilio took them, and only there',
    async () => {
      const account = await texter(platform);
      await subscribe(account, [mobile(1), mobile(2)]);
      given.twilio.fail(handingOver, { kind: 'cut', carriedOut: true }, { kind: 'cut', carriedOut: false });
      const before = given.twilio.texts.length;
      const broadcastId = await sendBroadcast(account);
      const tried = `message_id IN (SELECT id FROM sms_message WHERE broadcast_id = 0x${broadcastId.replaceAll('-', '')})`;
      await eventually(async () => (await platform.count('sms_attempt', tried)) === 2, 'each was tried once');
      await account.svc.call('sms.broadcast.cancel', { broadcastId });
      await eventually(async () => {
        platform.clock.advance(seconds(30));
        await platform.settled();
        return (await broadcastShown(account, broadcastId)).completedAt !== null;
      }, 'all has ended');
      expect(given.twilio.texts.length).to.equal(before + 1);
      expect((await broadcastShown(account, broadcastId)).counts).to.deep.include({ sent: 1, cancelled: 1, queued: 0 });
    },
  );

  it('cannot be cancelled: somebody may get them', async () => {
    const { svc } = await platform.account();
    const messageId = await sendWith(svc, { kind: 'cut', carriedOut: true });
    const refused = await svc.refusal('sms.message.cancel', { messageId });
    expect(refused).to.include({ status: 409, code: 'message_not_cancellable' });
    await nextAttempt(messageId, 5);
    expect((await shown(svc, messageId)).status).to.equal('sent');
  });
});
