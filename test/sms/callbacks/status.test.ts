import { expect } from 'chai';
import type { InputOf } from '#test/support/api.js';
import type { TestAccount } from '#test/support/platform.js';
import { twilioSignature } from '#test/support/twilio-callbacks.js';
import type { StatusFields, TwilioText } from '#test/support/twilio.js';
import { seconds } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import { send, shown, useTexts } from '../support.js';

describe('Status callbacks of texts', () => {
  const given = useTexts();
  const { platform } = given;

  /** A text that the provider took, and whose delivery attempt is recorded. */
  async function sentText(
    { svc }: TestAccount,
    input: Partial<InputOf<'sms.send'>> = {},
  ): Promise<{ messageId: string; taken: TwilioText }> {
    const { messageId } = await send(svc, input);
    await platform.settled();
    const [taken] = given.arrivalsOf(messageId);
    if (!taken) throw new Error('The text did not reach the provider.');
    return { messageId, taken };
  }
  const report = (
    taken: TwilioText,
    fields: StatusFields,
    signedWith?: string,
  ): ReturnType<typeof given.twilio.report> => given.twilio.report(taken, platform.running.address, fields, signedWith);
  const eventsOf = async ({ live }: TestAccount, messageId: string): Promise<string[]> =>
    (await platform.events(live)).filter(({ subjectId }) => subjectId === messageId).map(({ type }) => type);

  it('say when a text was delivered', async () => {
    const account = await platform.account();
    const { messageId, taken } = await sentText(account);
    platform.clock.advance(seconds(5));
    for (const status of ['queued', 'sending', 'sent']) expect((await report(taken, { status })).status).to.equal(200);
    expect(await shown(account.svc, messageId)).to.include({ status: 'sent', deliveredAt: null });
    const answer = await report(taken, { status: 'delivered' });
    expect(answer).to.deep.equal({ status: 200, text: '<?xml version="1.0" encoding="UTF-8"?><Response/>' });
    const deliveredAt = platform.clock.now().toISOString();
    expect(await shown(account.svc, messageId)).to.include({ status: 'sent', deliveredAt, error: null });
    platform.clock.advance(seconds(5));
    await report(taken, { status: 'delivered' });
    expect(await shown(account.svc, messageId)).to.include({ deliveredAt });
    expect(await eventsOf(account, messageId)).to.deep.equal(['sms.queued', 'sms.sent']);
  });

  it('move a text from sent to failed, once, with the carrier’s code and words', async () => {
    const account = await platform.account();
    const { messageId, taken } = await sentText(account);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => report(taken, { status: 'undelivered', code: '30003' })),
    );
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200]);
    const message = await shown(account.svc, messageId);
    expect(message.status).to.equal('failed');
    expect(message.error).to.deep.equal({ code: '30003', message: 'Unreachable destination handset' });
    expect(await eventsOf(account, messageId)).to.deep.equal(['sms.queued', 'sms.sent', 'sms.failed']);
    const [event] = (await platform.events(account.live)).filter(({ type }) => type === 'sms.failed');
    expect(event?.data['message']).to.deep.include({ messageId, status: 'failed', error: message.error });
    const day = platform.clock.now().toISOString().slice(0, 10);
    const tomorrow = new Date(platform.clock.now().getTime() + 86_400_000).toISOString().slice(0, 10);
    const { total } = await account.svc.call('sms.stats.get', { since: day, until: tomorrow });
    expect(total).to.include({ sent: 0, failed: 1, queued: 0 });
  });

  it('never take a delivered text back, and a failed one stays failed', async () => {
    const account = await platform.account();
    const delivered = await sentText(account);
    await report(delivered.taken, { status: 'delivered' });
    await report(delivered.taken, { status: 'failed', code: '30008' });
    await report(delivered.taken, { status: 'sent' });
    expect(await shown(account.svc, delivered.messageId)).to.include({ status: 'sent', error: null });
    expect(await eventsOf(account, delivered.messageId)).to.deep.equal(['sms.queued', 'sms.sent']);

    const failed = await sentText(account);
    await report(failed.taken, { status: 'failed', code: '30008' });
    await report(failed.taken, { status: 'delivered' });
    expect(await shown(account.svc, failed.messageId)).to.include({ status: 'failed', deliveredAt: null });
  });

  for (const [fields, status] of [
    [{ status: 'delivered' }, 'sent'],
    [{ status: 'undelivered', code: '30005' }, 'failed'],
  ] as const)
    it(`count although they come before the attempt was recorded: ${fields.status}`, async () => {
      const account = await platform.account();
      const gate: { open?: () => void } = {};
      given.twilio.fail(/Messages\.json$/, {
        kind: 'wait',
        release: new Promise((resolve) => {
          gate.open = resolve;
        }),
      });
      const { messageId } = await send(account.svc);
      await eventually(() => given.arrivalsOf(messageId).length === 1, 'the text at the provider');
      const [taken] = given.arrivalsOf(messageId);
      if (taken) expect((await report(taken, fields)).status).to.equal(200);
      expect((await shown(account.svc, messageId)).status).to.be.oneOf(['queued', 'sending']);
      gate.open?.();
      await platform.settled();
      expect((await shown(account.svc, messageId)).status).to.equal(status);
      const events = await eventsOf(account, messageId);
      expect(events).to.deep.equal(['sms.queued', 'sms.sent', ...(status === 'failed' ? ['sms.failed'] : [])]);
    });

  it('that come together share a transaction, and each is answered once it is committed', async () => {
    const account = await platform.account();
    const texts = await Promise.all(Array.from({ length: 10 }, () => send(account.svc)));
    await platform.settled();
    const { database } = platform.running.services;
    const commits = async (): Promise<number> => {
      const [row] = await database.rows<{ Value: string }>("SHOW GLOBAL STATUS LIKE 'Com_commit'");
      return Number(row?.Value);
    };
    const before = await commits();
    const answered = await Promise.all(
      texts.flatMap(({ messageId }, index) => {
        const [taken] = given.arrivalsOf(messageId);
        if (!taken) throw new Error('The text did not reach the provider.');
        const last: StatusFields = index === 0 ? { status: 'failed', code: '30008' } : { status: 'delivered' };
        return [last, { status: 'sent' }, last, { status: 'sending' }].map(async (fields) => {
          const { status } = await report(taken, fields);
          const committed =
            fields === last ? await platform.count('sms_report', `provider_id = '${taken.sid}'`) : undefined;
          return [status, committed ?? 1];
        });
      }),
    );
    expect(new Set(answered.map((each) => each.join()))).to.deep.equal(new Set(['200,1']));
    // 40 reports. On a busy machine they arrive in several groups.
    expect((await commits()) - before).to.be.below(20);
    const [failed, ...delivered] = await Promise.all(texts.map(({ messageId }) => shown(account.svc, messageId)));
    expect(failed).to.deep.include({ status: 'failed', deliveredAt: null });
    expect(delivered.every(({ status, deliveredAt }) => status === 'sent' && deliveredAt !== null)).to.equal(true);
    expect(await eventsOf(account, failed?.messageId ?? '')).to.deep.equal(['sms.queued', 'sms.sent', 'sms.failed']);
  });

  it('are rejected unless Twilio signed them for this address', async () => {
    const account = await platform.account();
    const { messageId, taken } = await sentText(account);
    const before = await shown(account.svc, messageId);
    const forged = await report(taken, { status: 'failed', code: '30003' }, 'another token');
    expect(forged.status).to.equal(403);
    expect(forged.text).to.include('"callback_rejected"');
    const { pathname, search } = new URL(taken.statusCallback);
    const unsigned = await fetch(`${platform.running.address}${pathname}${search}`, {
      method: 'POST',
      body: new URLSearchParams({ MessageSid: taken.sid, MessageStatus: 'failed' }),
    });
    expect(unsigned.status).to.equal(403);
    // Signed for another text's address, and sent to this one's.
    const other = await sentText(account);
    const fields = { MessageSid: taken.sid, MessageStatus: 'failed' };
    const signature = twilioSignature(other.taken.statusCallback, fields, given.twilio.authToken);
    const moved = await fetch(`${platform.running.address}${pathname}${search}`, {
      method: 'POST',
      headers: { 'x-twilio-signature': signature },
      body: new URLSearchParams(fields),
    });
    expect(moved.status).to.equal(403);
    expect(await shown(account.svc, messageId)).to.deep.equal(before);
  });

  it('count too where Twilio signed the address without its port', async () => {
    const account = await platform.account();
    const { messageId, taken } = await sentText(account);
    const { hostname, protocol, port, pathname, search } = new URL(taken.statusCallback);
    expect(port).to.not.equal('');
    const fields = { MessageSid: taken.sid, MessageStatus: 'delivered' };
    const signed = twilioSignature(`${protocol}//${hostname}${pathname}${search}`, fields, given.twilio.authToken);
    const answer = await fetch(`${platform.running.address}${pathname}${search}`, {
      method: 'POST',
      headers: { 'x-twilio-signature': signed },
      body: new URLSearchParams(fields),
    });
    expect(answer.status).to.equal(200);
    expect((await shown(account.svc, messageId)).deliveredAt).to.not.equal(null);
  });

  it('say where a code is explained that svc has no words for', async () => {
    const account = await platform.account();
    const { messageId, taken } = await sentText(account);
    await report(taken, { status: 'undelivered', code: '30999' });
    expect((await shown(account.svc, messageId)).error).to.deep.equal({
      code: '30999',
      message: 'Twilio’s error 30999: https://www.twilio.com/docs/api/errors/30999',
    });
  });

  it('about texts that this deployment did not send are taken, so that they do not come again', async () => {
    const account = await platform.account();
    const { taken } = await sentText(account);
    const { origin } = new URL(taken.statusCallback);
    const unknown = { ...taken, sid: 'SM00000000000000000000000000000000', statusCallback: `${origin}/v1/sms/status` };
    expect((await report(unknown, { status: 'failed' })).status).to.equal(200);
  });

  it('find a text by the provider’s id where the address names none', async () => {
    const account = await platform.account();
    const { messageId, taken } = await sentText(account);
    const bare = { ...taken, statusCallback: taken.statusCallback.replace(/\?.*/, '') };
    await report(bare, { status: 'undelivered', code: '30007' });
    expect((await shown(account.svc, messageId)).error?.code).to.equal('30007');
  });

  it('fail a text only by the delivery attempt that was recorded: one that was submitted twice may still arrive', async () => {
    const account = await platform.account();
    given.twilio.fail(/Messages\.json$/, { kind: 'cut', carriedOut: true });
    const { messageId } = await send(account.svc);
    await eventually(() => given.arrivalsOf(messageId).length === 1, 'the first delivery attempt');
    const [first] = given.arrivalsOf(messageId);
    if (first) given.twilio.unlisted.add(first.sid);
    await eventually(async () => {
      platform.clock.advance(seconds(60));
      await platform.settled();
      return given.arrivalsOf(messageId).length === 2;
    }, 'the second delivery attempt');
    if (first) await report(first, { status: 'undelivered', code: '30003' });
    expect((await shown(account.svc, messageId)).status).to.equal('sent');
    if (first) await report(first, { status: 'delivered' });
    expect((await shown(account.svc, messageId)).deliveredAt).to.not.equal(null);
  });
});
