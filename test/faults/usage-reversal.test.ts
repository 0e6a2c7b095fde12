import { expect } from 'chai';
import { eventually } from '#test/support/eventually.js';
import { at } from '#test/support/json.js';
import { needProducts } from '#test/support/products.js';
import { textAt } from './support/call.js';
import { allDisconnected } from './support/leases.js';
import type { NodeProcess } from './support/node.js';
import { openStage, type Stage } from './support/stage.js';
import { endWaits, startTexts } from './support/texts.js';

/** How the test sends on a channel. Addresses are numbered. */
interface Sending {
  readonly settings: Readonly<Record<string, string>>;
  addressOf(index: number): string;
  contactOf(address: string): object;
  message(address: string): object;
  template: { readonly operation: string; readonly input: object };
  /** Fields of a new broadcast. */
  prepare(ask: (operation: string, input: unknown) => Promise<Record<string, unknown>>): Promise<object>;
  /** Makes the receiver of messages refuse an address permanently. */
  refuse(address: string): void;
  /** How a message `m` is metered: while it waits, and once it is sent. */
  readonly units: { readonly accepted: string; readonly sent: string };
  readonly meters: { readonly single: string; readonly broadcast: string };
}

const sendings: Readonly<Record<'email' | 'sms', (stage: Stage) => Promise<Sending>>> = {
  email: ({ mail }) => {
    const refused = new Set<string>();
    mail.onRecipient = (address) => (refused.has(address) ? { code: 550, message: '5.1.1 no such user' } : null);
    return Promise.resolve({
      settings: {},
      addressOf: (index) => `c${index}@example.com`,
      contactOf: (email) => ({ email }),
      message: (to) => ({ to, subject: 'Hello', text: 'Hello' }),
      template: {
        operation: 'email.template',
        input: { template: 'news', locales: { en: { subject: 'News', text: 'Hello {{ contact.email }}' } } },
      },
      async prepare(ask) {
        await ask('email.sender.set', { legalAddress: 'Hauptstraße 1, Berlin' });
        return { from: textAt(await ask('email.sender.get', {}), 'ownAddress') };
      },
      refuse: (address) => void refused.add(address),
      units: { accepted: '1', sent: '1' },
      meters: { single: 'email.message', broadcast: 'email.broadcast_message' },
    });
  },
  async sms(stage) {
    const { twilio, settings } = await startTexts(stage);
    return {
      settings,
      addressOf: (index) => `+49151${23_450_000 + index}`,
      contactOf: (phone) => ({ phone }),
      message: (to) => ({ to, body: 'Hello' }),
      // Its length is not known before it is sent: it is metered at its maximum, and corrected afterwards.
      template: {
        operation: 'sms.template',
        input: { template: 'news', locales: { en: { body: 'Hello {{ contact.phone }}' } } },
      },
      prepare: () => Promise.resolve({}),
      refuse: (address) => void twilio.refusals.set(address, { status: 400, code: 21_211, message: 'Invalid number' }),
      units: { accepted: 'm.metered_segments', sent: 'm.segments' },
      meters: { single: 'sms.segment', broadcast: 'sms.segment' },
    };
  },
};

const uuidText = (column: string): string =>
  `LOWER(INSERT(INSERT(INSERT(INSERT(HEX(${column}), 9, 0, '-'), 14, 0, '-'), 19, 0, '-'), 24, 0, '-'))`;

/**
 * Expects that the usage of every message and broadcast matches the rows of its messages: what was accepted, less what
 * ended without having been submitted. It reads the tables, and does not rely on anything that svc computes.
 */
async function expectExact({ db }: Stage, channel: string, { units, meters }: Sending, when: string): Promise<void> {
  const net = `CASE WHEN m.status IN ('cancelled', 'suppressed', 'failed') THEN 0 WHEN m.status = 'sent' THEN ${units.sent} ELSE ${units.accepted} END`;
  const source = `COALESCE(${uuidText('m.broadcast_id')}, ${uuidText('m.id')})`;
  const wanted = await db.rows<{ source: string; net: string; accepted: string }>(
    `SELECT ${source} AS source, CAST(SUM(${net}) AS CHAR) AS net, CAST(SUM(${units.accepted}) AS CHAR) AS accepted
     FROM ${channel}_message m WHERE m.is_system = 0 GROUP BY source ORDER BY source`,
  );
  const metered = await db.rows<{ source: string; net: string; accepted: string }>(
    `SELECT CONVERT(source_id USING ascii) AS source, CAST(SUM(quantity) AS CHAR) AS net,
       CAST(SUM(GREATEST(quantity, 0)) AS CHAR) AS accepted
     FROM billing_usage WHERE meter IN (?) AND NOT EXISTS
       (SELECT 1 FROM ${channel}_message m WHERE ${uuidText('m.id')} = CONVERT(source_id USING ascii) AND m.is_system = 1)
     GROUP BY source_id ORDER BY source_id`,
    [[meters.single, meters.broadcast].map((meter) => Buffer.from(meter))],
  );
  expect(metered, when).to.deep.equal(wanted);
}

describe('kill -9 while messages end without having been submitted', function () {
  this.timeout(600_000);
  needProducts('audience', 'billing', 'email', 'sms');
  const stages: Stage[] = [];
  afterEach(async () => {
    for (const stage of stages.splice(0)) await stage.close();
  });

  for (const [channel, sendingOn] of Object.entries(sendings))
    it(`${channel}: each is given back once, with the change that ended it: cancelled, cancelled with its broadcast, suppressed, without consent, refused`, async () => {
      const stage = await openStage();
      stages.push(stage);
      const { db } = stage;
      const sending = await sendingOn(stage);
      const { addressOf } = sending;
      const start = (role: 'api' | 'worker', fault?: string): Promise<NodeProcess> =>
        stage.start({ settings: { ...sending.settings, SVC_ROLE: role }, ...(fault === undefined ? {} : { fault }) });
      const exact = (when: string): Promise<void> => expectExact(stage, channel, sending, when);
      /**
       * The messages of the calls and broadcasts with a given status, without the mails that svc sends the owners about
       * bounces.
       */
      const having = async (status: string): Promise<number> =>
        (await db.rows(`SELECT id FROM ${channel}_message WHERE status = ? AND is_system = 0`, [Buffer.from(status)]))
          .length;
      /** Runs a worker until it dies at a crash point, and ends the leases of what it held. */
      const dieAt = async (fault: string): Promise<void> => {
        await (await start('worker', fault)).diedAtPoint(60_000);
        for (const queue of [`${channel}_queue`, `${channel}_broadcast_queue`])
          await db.run(`UPDATE ${queue} SET lease_until = NOW(3) - INTERVAL 1 SECOND WHERE leased = 1`);
        await exact(fault);
      };
      let calls = await start('api');
      const ask = (operation: string, input: unknown): Promise<Record<string, unknown>> =>
        stage.askLive(calls, operation, input);
      const send = async (index: number, fields: object = {}): Promise<string> =>
        textAt(await ask(`${channel}.send`, { ...sending.message(addressOf(index)), ...fields }), 'messageId');
      const given = await sending.prepare(ask);
      await ask('audience.topic.create', { key: 'news', name: 'News' });
      await ask(`${sending.template.operation}.draft.save`, sending.template.input);
      await ask(`${sending.template.operation}.publish`, { template: 'news' });
      const consents = [{ topic: 'news', channel, source: 'form' }];
      const contacts: string[] = [];
      for (let index = 0; index < 8; index += 1) {
        const contact = { ...sending.contactOf(addressOf(index)), consents };
        contacts.push(textAt(await ask('audience.contact.upsert', contact), 'contact', 'id'));
      }
      const broadcast = async (): Promise<string> => {
        const created = await ask(`${channel}.broadcast.create`, {
          name: 'News',
          template: 'news',
          topic: 'news',
          ...given,
        });
        const broadcastId = textAt(created, 'broadcast', 'id');
        await ask(`${channel}.broadcast.send`, { broadcastId });
        return broadcastId;
      };

      // A message that is cancelled.
      const sendAfter = new Date(Date.now() + 86_400_000).toISOString();
      const later = [await send(20, { sendAfter }), await send(21, { sendAfter }), await send(22, { sendAfter })];
      await exact('three accepted');
      await calls.stop();
      for (const [index, fault] of ['commit.before:1', 'commit.after:1'].entries()) {
        calls = await stage.start({ settings: { ...sending.settings, SVC_ROLE: 'api' }, fault });
        await ask(`${channel}.message.cancel`, { messageId: later[index] }).catch(() => undefined);
        await calls.diedAtPoint();
        await allDisconnected(db);
        expect(await having('cancelled'), fault).to.equal(index);
        await exact(fault);
      }
      calls = await start('api');
      for (const messageId of later.slice(0, 2)) await ask(`${channel}.message.cancel`, { messageId });
      expect(await having('cancelled')).to.equal(2);
      await exact('cancelled again');

      // The remaining messages of a cancelled broadcast.
      const first = await broadcast();
      await dieAt(`${channel}.broadcast.batch:1`);
      expect(await having('queued'), 'messages of the broadcast, and one for tomorrow').to.equal(9);
      await ask(`${channel}.broadcast.cancel`, { broadcastId: first });
      await dieAt(`${channel}.broadcast.cancelled:1`);
      expect(await having('cancelled'), 'the batch in progress left nothing').to.equal(2);
      await dieAt(`${channel}.broadcast.batch:1`);
      expect(await having('cancelled')).to.equal(10);

      // Messages that must no longer be sent when their turn comes, and refused ones.
      const second = await broadcast();
      // The last batch of the first one may come before it.
      while ((await having('queued')) < 9) await dieAt(`${channel}.broadcast.batch:1`);
      for (const index of [30, 31]) await send(index);
      for (const index of [32, 33]) {
        await send(index);
        sending.refuse(addressOf(index));
      }
      for (const contactId of contacts.slice(0, 3))
        await ask('audience.consent.revoke', { contactId, topic: 'news', channel, source: 'preferences_page' });
      for (const index of [3, 4, 30, 31]) await ask('audience.suppression.add', sending.contactOf(addressOf(index)));
      for (const index of [5, 6]) sending.refuse(addressOf(index));
      for (const fault of ['outcomes.written:1', 'outcomes.committed:1']) await dieAt(`${channel}.${fault}`);
      const worker = await start('worker');
      await eventually(
        async () => {
          if (channel === 'sms') await endWaits(db);
          return at(await ask(`${channel}.broadcast.get`, { broadcastId: second }), 'broadcast', 'status') === 'sent';
        },
        'a broadcast that is sent',
        60_000,
        200,
      );
      await eventually(
        async () => {
          if (channel === 'sms') await endWaits(db);
          return (await having('queued')) === 1;
        },
        'what has ended',
        60_000,
        200,
      );
      expect([await having('sent'), await having('suppressed'), await having('failed')]).to.deep.equal([1, 7, 4]);
      await exact('at the end');
      expect([await worker.stop(), await calls.stop()]).to.deep.equal(['0', '0']);
    });
});
