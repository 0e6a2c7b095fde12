import { expect } from 'chai';
import { ownRecords } from '#test/support/own-records.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import { addMember, eventNames } from '#test/account/support.js';
import type { Api } from '#test/support/api.js';
import { days, hours, minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { startSmtpReceiver, type SmtpReceiver } from '#test/support/smtp-receiver.js';
import { answering, deliveriesOf, endpointAt, quiet, rename, useReceivers } from './support.js';

describe('An endpoint that fails every attempt for five days', () => {
  needProducts('email');
  const mail: { smtp?: SmtpReceiver } = {};
  const platform = usePlatform({
    async settings() {
      mail.smtp = await startSmtpReceiver();
      return { SVC_SMTP_URL: `smtp://127.0.0.1:${mail.smtp.port}` };
    },
  });
  const receiverOf = useReceivers();
  after(() => mail.smtp?.close());

  /** The recipients of mail about this endpoint. */
  const mailedTo = (url: string): string[] =>
    (mail.smtp?.received ?? [])
      .filter(({ parsed }) => parsed.subject?.includes(url) === true)
      .flatMap(({ recipients }) => recipients)
      .sort();

  const statusOf = async (api: Api, endpointId: string): Promise<string> =>
    (await api.call('developers.webhook.get', { endpointId })).endpoint.status;

  /** Emits an event and waits until all due deliveries are attempted. */
  async function news(api: Api): Promise<void> {
    await rename(api, `Renamed ${platform.clock.now().getTime()}`);
    await quiet(platform);
  }

  it('is disabled, and not earlier, with an event and a mail to each verified owner', async () => {
    const receiver = await receiverOf();
    receiver.answer = answering(500);
    const account = await platform.account();
    const { svcTest, ownerEmail } = account;
    const second = await addMember(platform, account, { role: 'owner' });
    await addMember(platform, account, { role: 'owner', provenAt: null });
    await addMember(platform, account, { role: 'admin' });
    const { endpointId } = await endpointAt(svcTest, receiver);
    await news(svcTest);
    platform.clock.advance(days(5) - 1);
    await news(svcTest);
    expect(await statusOf(svcTest, endpointId)).to.equal('enabled');
    platform.clock.advance(1);
    await news(svcTest);
    expect(await statusOf(svcTest, endpointId)).to.equal('disabled');
    expect(await ownRecords(svcTest, endpointId)).to.deep.equal(['developers.webhook.disable status=disabled']);
    const [event] = (await platform.events(account.test)).filter(({ type }) => type === 'developers.webhook.disabled');
    expect(event).to.deep.include({ subjectId: endpointId, activityId: null });
    expect(event?.data).to.deep.nested.include({ 'endpoint.status': 'disabled', 'endpoint.endpointId': endpointId });
    await mail.smtp?.waitFor(() => mailedTo(receiver.url).length >= 2);
    expect(mailedTo(receiver.url)).to.deep.equal([ownerEmail, second.email].sort());

    const attempts = receiver.received.length;
    platform.clock.advance(days(1));
    await news(svcTest);
    expect(receiver.received).to.have.length(attempts);
  });

  it('is disabled at once, with the event and the mail, when it answers 410, and that delivery is dead', async () => {
    const receiver = await receiverOf();
    receiver.answer = answering(410);
    const account = await platform.account();
    const { svcTest, ownerEmail } = account;
    const { endpointId } = await endpointAt(svcTest, receiver);
    await svcTest.call('developers.webhook.test', { endpointId });
    expect(await statusOf(svcTest, endpointId)).to.equal('enabled');
    await news(svcTest);
    expect(await statusOf(svcTest, endpointId)).to.equal('disabled');
    const [delivery, ...others] = await deliveriesOf(svcTest, endpointId, 'dead');
    expect(others).to.deep.equal([]);
    expect(delivery).to.include({ attempt: 1, responseStatus: 410, nextAttemptAt: null });
    expect(await eventNames(platform, account.test)).to.include('developers.webhook.disabled');
    await mail.smtp?.waitFor(() => mailedTo(receiver.url).length > 0);
    expect(mailedTo(receiver.url)).to.deep.equal([ownerEmail]);
    const text = mail.smtp?.received.find(({ parsed }) => parsed.subject?.includes(receiver.url))?.parsed.text;
    expect(text).to.contain('has answered a delivery with 410 Gone, so deliveries to it have stopped');
    const attempts = receiver.received.length;
    platform.clock.advance(days(1));
    await news(svcTest);
    expect(receiver.received).to.have.length(attempts);
  });

  it('is disabled only while the clocks can be trusted, and five days after a clock that was ahead', async () => {
    const receiver = await receiverOf();
    receiver.answer = answering(500);
    const { svcTest } = await platform.account();
    const { endpointId } = await endpointAt(svcTest, receiver);
    // It fails for the first time while the clock is ahead.
    platform.clock.advance(days(100));
    await news(svcTest);
    platform.clock.advance(-days(100));
    await news(svcTest);
    platform.clock.trust(false);
    platform.clock.advance(days(5));
    await news(svcTest);
    expect(await statusOf(svcTest, endpointId)).to.equal('enabled');
    platform.clock.trust(true);
    platform.clock.advance(minutes(1));
    await news(svcTest);
    expect(await statusOf(svcTest, endpointId)).to.equal('disabled');
  });

  it('gets another five days once it is enabled', async () => {
    const receiver = await receiverOf();
    receiver.answer = answering(500);
    const { svcTest } = await platform.account();
    const { endpointId } = await endpointAt(svcTest, receiver);
    await news(svcTest);
    platform.clock.advance(days(4));
    await svcTest.call('developers.webhook.disable', { endpointId });
    await svcTest.call('developers.webhook.enable', { endpointId });
    // Its waiting delivery may have been attempted just before it was disabled: this one fails after.
    await news(svcTest);
    platform.clock.advance(days(4));
    await news(svcTest);
    expect(await statusOf(svcTest, endpointId)).to.equal('enabled');
    platform.clock.advance(days(1));
    await news(svcTest);
    expect(await statusOf(svcTest, endpointId)).to.equal('disabled');
  });

  it('stays enabled if one delivery in between succeeded', async () => {
    const receiver = await receiverOf();
    receiver.answer = answering(500);
    const account = await platform.account();
    const { svcTest } = account;
    const { endpointId } = await endpointAt(svcTest, receiver);
    await news(svcTest);
    platform.clock.advance(days(4));
    receiver.answer = answering(204);
    await news(svcTest);
    receiver.answer = answering(500);
    platform.clock.advance(minutes(1));
    await news(svcTest);
    platform.clock.advance(days(4));
    await news(svcTest);
    expect(await statusOf(svcTest, endpointId)).to.equal('enabled');
    expect(await eventNames(platform, account.test)).not.to.include('developers.webhook.disabled');
    platform.clock.advance(days(1));
    await news(svcTest);
    expect(await statusOf(svcTest, endpointId)).to.equal('disabled');
  });

  it('is disabled and mailed about although other mail has used up its budgets, and other outcomes are kept', async () => {
    const [failing, well] = [await receiverOf(), await receiverOf()];
    failing.answer = answering(500);
    const account = await platform.account();
    const { svcTest } = account;
    const { endpointId } = await endpointAt(svcTest, failing);
    await news(svcTest);
    platform.clock.advance(days(5));
    const { endpointId: other } = await endpointAt(svcTest, well);
    // Budgets of system mail (docs/interface.md, Limits 3) that other mail of the environment has used up.
    for (const budget of ['signin', 'invitation'])
      await platform.running.services.database.run('INSERT INTO svc_limit (id, hits, resets_at) VALUES (?, 500, ?)', [
        sha256(`${budget} mail|per hour|${account.test.id}`),
        new Date(platform.clock.now().getTime() + hours(1)),
      ]);
    await news(svcTest);
    expect(await statusOf(svcTest, endpointId)).to.equal('disabled');
    expect((await svcTest.call('developers.webhook.get', { endpointId: other })).health.delivered).to.equal(1);
    expect(well.received).to.have.length(1);
    await mail.smtp?.waitFor(() => mailedTo(failing.url).length > 0);
    const lost = platform.logLines.filter((line) => line.includes('work failed'));
    expect(lost).to.deep.equal([]);
  });
});
