import { expect } from 'chai';
import { eventually } from '#test/support/eventually.js';
import { createGate } from '#test/support/gate.js';
import { at } from '#test/support/json.js';
import { needProducts } from '#test/support/products.js';
import { textAt } from './support/call.js';
import { inFlight } from './support/mail-load.js';
import { endLeases } from './support/leases.js';
import type { NodeProcess } from './support/node.js';
import { openStage, type Stage } from './support/stage.js';
import { endWaits, startTexts } from './support/texts.js';

const people = Number(process.env['SVC_TEST_BROADCAST_RECIPIENTS'] ?? 300);

type Ask = (operation: string, input: unknown) => Promise<Record<string, unknown>>;

/** How the test sends on a channel. */
interface Sending {
  readonly settings: Readonly<Record<string, string>>;
  /**
   * Publishes the template news. @returns the input of email.broadcast.create or sms.broadcast.create in addition to
   * name, template and topic
   */
  prepare(ask: Ask): Promise<object>;
  contactOf(index: number): object;
  /** The addresses of the messages that have arrived. */
  arrived(): readonly string[];
  /** Waits until that many have arrived, and then stops answering. */
  holdFrom(count: number): Promise<void>;
  /** Answers the waiting messages and all later ones. */
  release(): void;
  /** The meter of its messages, one unit each. */
  readonly meter: string;
  /** See inFlight of mail-load.ts. */
  readonly inFlight: number;
  /** Ends the waits before more attempts. */
  endWaits(): Promise<void>;
}

const sendings: Readonly<Record<'email' | 'sms', (stage: Stage) => Promise<Sending>>> = {
  email: ({ mail }) => {
    const gate = createGate();
    mail.onMessage = () => gate.pass().then(() => null);
    return Promise.resolve({
      settings: {},
      async prepare(ask) {
        await ask('email.sender.set', { legalAddress: 'Hauptstraße 1, Berlin' });
        const locales = { en: { subject: 'News for {{ contact.firstName }}', text: 'Hello {{ contact.email }}' } };
        await ask('email.template.draft.save', { template: 'news', locales });
        await ask('email.template.publish', { template: 'news' });
        return { from: textAt(await ask('email.sender.get', {}), 'ownAddress') };
      },
      contactOf: (index) => ({ email: `c${index}@example.com` }),
      arrived: () => mail.received.flatMap(({ recipients }) => recipients),
      holdFrom: async (count) => {
        await mail.waitFor(count, 60_000);
        gate.close();
      },
      release: () => gate.open(),
      meter: 'email.broadcast_message',
      inFlight,
      endWaits: () => Promise.resolve(),
    });
  },
  async sms(stage) {
    const { twilio, settings } = await startTexts(stage);
    return {
      settings,
      async prepare(ask) {
        const locales = { en: { body: 'Hello {{ contact.firstName }}' } };
        await ask('sms.template.draft.save', { template: 'news', locales });
        await ask('sms.template.publish', { template: 'news' });
        return {};
      },
      contactOf: (index) => ({ phone: `+49151${23_450_000 + index}` }),
      arrived: () => twilio.texts.map(({ to }) => to),
      holdFrom: async (count) => {
        await twilio.waitForTexts((texts) => texts.length >= count);
        twilio.answerTexts(false);
      },
      release: () => twilio.answerTexts(true),
      meter: 'sms.segment',
      // Texts whose outcome was not recorded are looked up at the provider.
      inFlight: 0,
      endWaits: () => endWaits(stage.db),
    };
  },
};

describe('kill -9 during a broadcast', function () {
  this.timeout(Math.max(180_000, people * 60));
  needProducts('audience', 'billing', 'email', 'sms');
  const stages: Stage[] = [];
  afterEach(async () => {
    for (const stage of stages.splice(0)) await stage.close();
  });

  for (const [channel, sendingOn] of Object.entries(sendings)) {
    it(`${channel}: while its messages are made, after a batch, and while they leave on two nodes: each contact gets it, counts equal rows`, async () => {
      const stage = await openStage();
      stages.push(stage);
      const { db, askLive: ask } = stage;
      const sending = await sendingOn(stage);
      const { settings, arrived } = sending;
      const queues = [`${channel}_queue`, `${channel}_broadcast_queue`];
      const start = (fault?: string): Promise<NodeProcess> =>
        stage.start({ settings, ...(fault === undefined ? {} : { fault }) });

      const first = await start(`${channel}.broadcast.messages:1`);
      await ask(first, 'audience.topic.create', { key: 'news', name: 'News' });
      const given = await sending.prepare((operation, input) => ask(first, operation, input));
      const consents = [{ topic: 'news', channel, source: 'form' }];
      const everybody = Array.from({ length: people }, (_, index) => ({
        ...sending.contactOf(index),
        firstName: 'Ada',
      }));
      for (let at = 0; at < people; at += 10_000)
        await ask(first, 'audience.contact.import', { contacts: everybody.slice(at, at + 10_000), consents });
      const granted = async (): Promise<number> =>
        (await db.rows("SELECT contact_id FROM audience_consent WHERE state = 'granted'")).length;
      await eventually(async () => (await granted()) === people, 'imported contacts', 60_000, 100);
      const draft = await ask(first, `${channel}.broadcast.create`, {
        name: 'News',
        template: 'news',
        topic: 'news',
        ...given,
      });
      const broadcastId = textAt(draft, 'broadcast', 'id');
      // The process may die before its answer is sent.
      await ask(first, `${channel}.broadcast.send`, { broadcastId }).catch(() => undefined);
      await first.diedAtPoint();
      await endLeases(db, queues);
      expect(await db.rows(`SELECT id FROM ${channel}_message`), 'the batch in progress left nothing').to.have.length(
        0,
      );

      await (await start(`${channel}.broadcast.batch:1`)).diedAtPoint();
      await endLeases(db, queues);
      const holding = sending.holdFrom(people / 3);
      const killed = await start();
      await holding;
      const survivor = await start();
      await killed.kill();
      const held = (
        await Promise.all(
          queues.map((queue) => db.rows<{ lease_token: Buffer }>(`SELECT lease_token FROM ${queue} WHERE leased = 1`)),
        )
      ).flatMap((rows) => rows.map((row) => row.lease_token));
      // A lease from then that is not renewed belonged to the dead node.
      const endLeasesOfKilled = (): Promise<unknown> =>
        endLeases(db, queues, 'lease_token IN (?) AND lease_until < NOW(3) + INTERVAL 24 SECOND', [held]);
      sending.release();
      expect(arrived().length, 'messages that have arrived').to.be.lessThan(people);
      const shown = async (): Promise<unknown> =>
        at(await ask(survivor, `${channel}.broadcast.get`, { broadcastId }), 'broadcast');
      const parts = ['queued', 'held', 'sending', 'sent', 'failed', 'suppressed', 'cancelled', 'bounced'];
      await eventually(
        async () => {
          if (held.length > 0) await endLeasesOfKilled();
          await sending.endWaits();
          const counts = at(await shown(), 'counts');
          const sum = parts.reduce((total, part) => total + Number(at(counts, part)), 0);
          expect(sum, JSON.stringify(counts)).to.equal(at(counts, 'recipients'));
          return at(await shown(), 'status') === 'sent';
        },
        'a broadcast that is sent',
        120_000,
        100,
      );
      expect(at(await shown(), 'counts', 'sent')).to.equal(people);
      const rows = await db.rows<{ status: Buffer; contacts: number }>(
        `SELECT status, COUNT(DISTINCT contact_id) AS contacts FROM ${channel}_message GROUP BY status`,
      );
      expect(rows.map(({ status, contacts }) => [status.toString(), contacts])).to.deep.equal([['sent', people]]);
      const reached = arrived();
      expect(new Set(reached).size, 'contacts that got it').to.equal(people);
      expect(reached.length - people, 'messages that came twice').to.be.at.most(sending.inFlight);
      const events = await db.rows(`SELECT id FROM svc_event WHERE type IN ('${channel}.queued', '${channel}.sent')`);
      expect(events).to.have.length(2 * people);
      const [metered] = await db.rows<{ quantity: string }>(
        'SELECT CAST(COALESCE(SUM(quantity), 0) AS CHAR) AS quantity FROM billing_usage WHERE meter = ?',
        [Buffer.from(sending.meter)],
      );
      expect(Number(metered?.quantity), 'each contact’s message is metered once').to.equal(people);
      expect(await survivor.stop(), survivor.printed()).to.equal('0');
    });
  }
});
