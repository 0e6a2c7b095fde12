import { expect } from 'chai';
import type { Api } from '#test/support/api.js';
import { eventually } from '#test/support/eventually.js';
import { sqlId } from '#test/email/support.js';
import type { TestPlatform } from '#test/support/platform.js';

const parts = ['queued', 'held', 'sending', 'sent', 'failed', 'suppressed', 'cancelled', 'bounced'] as const;
type Counts = Partial<Record<(typeof parts)[number] | 'recipients', number>>;

/** What a channel sends with, and who takes its messages. */
interface UnderWay {
  readonly channel: 'email' | 'sms';
  readonly platform: TestPlatform;
  /** The tables in which messages of broadcasts wait. */
  readonly queues: readonly string[];
  /** How many messages of an environment that is alone one process submits at once, and how many it claims ahead. */
  readonly atOnce: number;
  readonly prepared: number;
  /** Answers delivery attempts from now on, those that wait too; or lets them wait for their answers. */
  answer(does: boolean): void;
  /** The addresses that were submitted to, in their order. */
  said(): readonly string[];
  /** Everything that a broadcast needs but its audience: the topic `news` too. */
  prepare(): Promise<{ readonly svc: Api; readonly environmentId: string; send(): Promise<string> }>;
  contactOf(index: number): { readonly email: string } | { readonly phone: string };
}

interface Sending {
  readonly svc: Api;
  readonly broadcastId: string;
}

/** What holds for broadcasts of every channel while their messages leave. Call it inside `describe`. */
export function broadcastsUnderWay(given: () => UnderWay): void {
  beforeEach(() => given().answer(false));
  afterEach(() => given().answer(true));

  /** A broadcast to the given number of contacts, which is being sent. */
  const sending = async (count: number): Promise<Sending> => {
    const { prepare, contactOf, channel, platform } = given();
    const { svc, environmentId, send } = await prepare();
    const contacts = Array.from({ length: count }, (_, index) => contactOf(index));
    const consents = [{ topic: 'news', channel, source: 'form' }];
    await svc.call('audience.contact.import', { contacts, consents });
    const granted = `environment_id = ${sqlId(environmentId)} AND state = 'granted'`;
    await eventually(
      async () => (await platform.count('audience_consent', granted)) === count,
      'imported contacts',
      60_000,
    );
    return { svc, broadcastId: await send() };
  };
  const shown = async ({ svc, broadcastId }: Sending): Promise<{ status: string; counts: Counts }> => {
    const { broadcast } = await svc.call(`${given().channel}.broadcast.get`, { broadcastId });
    return { status: broadcast.status, counts: broadcast.counts ?? {} };
  };
  const change = ({ svc, broadcastId }: Sending, verb: 'resume' | 'cancel'): Promise<unknown> =>
    svc.call(`${given().channel}.broadcast.${verb}`, { broadcastId });
  const pause = async ({ svc, broadcastId }: Sending): Promise<{ held: number; counts: Counts }> => {
    const { broadcast, pausedMessages } = await svc.call(`${given().channel}.broadcast.pause`, { broadcastId });
    return { held: pausedMessages, counts: broadcast.counts ?? {} };
  };
  const isSent = async (broadcast: Sending): Promise<boolean> => (await shown(broadcast)).status === 'sent';
  const leased = async (broadcast: Sending): Promise<number> => (await shown(broadcast)).counts.sending ?? 0;
  const sumOf = ({ counts }: { counts: Counts }): number =>
    parts.reduce((total, part) => total + (counts[part] ?? 0), 0);

  /** What was checked before is then checked again when it leaves (core/messaging/delivery/queue.ts). */
  const pastCheck = (): Promise<void> => {
    const began = performance.now();
    return eventually(() => performance.now() - began > 150, 'checks have expired');
  };

  it('an opt-out holds for messages that a worker has checked already and not submitted', async () => {
    const { atOnce, said, contactOf, channel, answer } = given();
    const before = said().length;
    const count = 3 * atOnce;
    const broadcast = await sending(count);
    const own = (): readonly string[] => said().slice(before);
    await eventually(async () => own().length === atOnce && (await leased(broadcast)) === count, 'all are under way');
    const waiting = Array.from({ length: count }, (_, index) => contactOf(index)).filter(
      (contact) => !own().includes('email' in contact ? contact.email : contact.phone),
    );
    const consents = [{ topic: 'news', channel, source: 'phone' }];
    await Promise.all(
      waiting.map(async (contact) => {
        const { contact: found } = await broadcast.svc.call('audience.contact.get', contact);
        for (const consent of consents)
          await broadcast.svc.call('audience.consent.revoke', { contactId: found.id, ...consent });
      }),
    );
    await pastCheck();
    answer(true);
    await eventually(() => isSent(broadcast), 'the broadcast is sent', 30_000);
    expect(own()).to.have.length(atOnce);
    const { counts } = await shown(broadcast);
    expect(counts).to.deep.include({ recipients: count, sent: atOnce, suppressed: count - atOnce });
  });

  it('a pause holds on every node what is not being submitted', async () => {
    const { platform, atOnce, prepared, said, answer } = given();
    const other = await platform.secondNode();
    const start = said().length;
    const count = 3 * prepared;
    const broadcast = await sending(count);
    await eventually(() => said().length - start >= 2 * atOnce, 'both nodes submit as many as they may', 30_000);
    const paused = await pause(broadcast);
    const left = said().length - start;
    expect(paused.held, 'those that no worker has').to.equal(paused.counts.held);
    expect(paused.held + (paused.counts.sending ?? 0), 'workers have the others').to.equal(count);
    await pastCheck();
    answer(true);
    await eventually(async () => (await leased(broadcast)) === 0, 'no worker has any of it', 30_000);
    expect(said().length - start, 'none left after the pause').to.equal(left);
    const { counts } = await shown(broadcast);
    expect(counts).to.deep.include({ recipients: count, held: count - left, sent: left, queued: 0, sending: 0 });
    await change(broadcast, 'resume');
    await eventually(() => isSent(broadcast), 'the broadcast is sent', 60_000);
    const reached = said().slice(start);
    expect(new Set(reached).size).to.equal(count);
    expect(reached, 'each contact got it once').to.have.length(count);
    await other.stop();
  });

  it('a cancel ends what is not being submitted, however many there are', async () => {
    const { atOnce, said, answer, platform, channel, queues } = given();
    const start = said().length;
    const count = 6_000;
    const broadcast = await sending(count);
    const made = (): Promise<number> =>
      platform.count(`${channel}_message`, `broadcast_id = ${sqlId(broadcast.broadcastId)}`);
    await eventually(async () => (await made()) === count && said().length - start >= atOnce, 'all are made', 60_000);
    await change(broadcast, 'cancel');
    const left = said().length - start;
    const at = await shown(broadcast);
    expect([at.status, sumOf(at)]).to.deep.equal(['closed', count]);
    await pastCheck();
    answer(true);
    const ended = `broadcast_id = ${sqlId(broadcast.broadcastId)} AND status IN ('sent', 'cancelled')`;
    await eventually(async () => (await platform.count(`${channel}_message`, ended)) === count, 'all ended', 60_000);
    expect(said().length - start, 'none left after the cancel').to.equal(left);
    const { counts } = await shown(broadcast);
    expect(counts).to.deep.include({ recipients: count, sent: left, cancelled: count - left, queued: 0 });
    const queued = `partition_id = ${sqlId(broadcast.broadcastId)}`;
    for (const queue of queues) expect(await platform.count(queue, queued)).to.equal(0);
  });

  it('its counts add up at every moment', async () => {
    const { said, answer } = given();
    answer(true);
    const start = said().length;
    const count = 400;
    const broadcast = await sending(count);
    for (let { status } = await shown(broadcast); status !== 'sent'; { status } = await shown(broadcast)) {
      const now = await shown(broadcast);
      expect(sumOf(now), 'the sum of its parts').to.equal(now.counts.recipients);
      const isPaused = Math.random() < 0.2 && now.status === 'sending';
      if (!isPaused) continue;
      // Its last message may end before the call.
      await pause(broadcast).catch(() => undefined);
      const held = await shown(broadcast);
      expect(sumOf(held), 'the sum of its parts while it is held').to.equal(held.counts.recipients);
      await change(broadcast, 'resume').catch(() => undefined);
    }
    expect(sumOf(await shown(broadcast))).to.equal(count);
    expect(said().length - start).to.equal(count);
  });
}
