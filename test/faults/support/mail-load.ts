import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import { eventually } from '#test/support/eventually.js';
import { headerOf } from '#test/email/support.js';
import type { SmtpReceiver } from '#test/support/smtp-receiver.js';
import { call, readAnswer, textAt, type Outcome } from './call.js';
import type { NodeProcess } from './node.js';

/** How many clients send concurrently. */
export const clients = 16;
/**
 * The number of messages of one lane that a process may have submitted without having recorded it: the messages on
 * its connections, and the messages that wait to be recorded (plugins/email/delivery/queue.ts,
 * core/messaging/delivery/send-slots.ts). At most this many can arrive twice after a kill.
 */
export const inFlight = 4 * 24;

/** One message under its key, and the first answer to it. */
export interface Send {
  bearer: string;
  key: string;
  answer?: string;
}

const toOf = (key: string): string => `${key}@example.com`;

/** Sends one message under its key. */
export const attempt = (node: NodeProcess, { bearer, key }: Send): Promise<Outcome> =>
  call(node.address, bearer, {
    operation: 'email.send',
    input: { to: toOf(key), subject: `Order ${key}`, text: 'On its way.' },
    idempotencyKey: key,
  });

/** Repeats a send until it is answered, and compares every answer with the first one. */
async function settle(node: NodeProcess, send: Send): Promise<void> {
  await eventually(
    async () => {
      const outcome = await attempt(node, send);
      if (outcome.kind === 'open') {
        // If a call was not answered, the database may still be rolling back what the dead process had begun.
        expect(send.answer === undefined || outcome.why !== 'in progress', `${send.key} was answered`).to.equal(true);
        return false;
      }
      if (send.answer !== undefined) {
        expect(outcome.text, `the answer to ${send.key}`).to.equal(send.answer);
        expect(outcome.replayed, `${send.key} is a replay`).to.equal(true);
      }
      send.answer ??= outcome.text;
      return true;
    },
    `an answer to ${send.key}`,
    30_000,
  );
}

/** The same for many, each client's one after the other. */
export async function settleAll(node: NodeProcess, sends: readonly Send[]): Promise<void> {
  const bearers = [...new Set(sends.map(({ bearer }) => bearer))];
  await Promise.all(
    bearers.map(async (bearer) => {
      for (const send of sends) if (send.bearer === bearer) await settle(node, send);
    }),
  );
}

/** 16 clients that send until they are told to stop. */
export function startLoad(node: NodeProcess, bearers: readonly string[], name: string, stubborn: boolean) {
  const sends: Send[] = [];
  const unanswered: string[] = [];
  let going = true;
  const client = async (bearer: string, index: number): Promise<void> => {
    for (let n = 0; going; n += 1) {
      const send: Send = { bearer, key: `${name}-${index}-${n}` };
      sends.push(send);
      for (;;) {
        const outcome = await attempt(node, send);
        if (outcome.kind === 'answered') send.answer = outcome.text;
        else unanswered.push(outcome.why);
        if (outcome.kind === 'answered') break;
        // A dead node no longer answers anyone.
        if (!stubborn) return;
        await pause(50);
      }
    }
  };
  const running = Promise.all(bearers.map(client));
  return {
    sends,
    unanswered,
    answered: () => sends.filter(({ answer }) => answer !== undefined).length,
    async end() {
      going = false;
      await running;
    },
  };
}

/** 8 visitors that open a connection for each request. @returns an end that tells how many requests hung */
export function startVisitors(address: string): { end: () => Promise<number> } {
  let going = true;
  let hung = 0;
  const visit = (): Promise<void> =>
    new Promise((resolve) => {
      const visiting = request(`${address}/healthz`, { agent: false }, (response) => {
        response.resume().once('close', resolve);
      });
      // The request has no work to wait for, so the time is that of a connection nobody answers.
      visiting.setTimeout(10_000, () => {
        hung += 1;
        visiting.destroy();
      });
      visiting.once('error', () => resolve()).end();
    });
  const running = Promise.all(
    Array.from({ length: 8 }, async () => {
      while (going) await visit();
    }),
  );
  return {
    async end() {
      going = false;
      await running;
      return hung;
    },
  };
}

/**
 * The invariants once everything has settled, regardless of what was killed. @param mayRepeat how many mails may have
 * arrived twice
 */
export async function keptPromises(
  db: ConnectedDatabase,
  mail: SmtpReceiver,
  sends: readonly Send[],
  mayRepeat: number,
): Promise<void> {
  const ids = sends.map(({ answer }) => textAt(readAnswer(answer ?? '').result, 'messageId'));
  const count = async (sql: string): Promise<number> =>
    (await db.rows<{ found: number }>(`SELECT COUNT(*) AS found FROM ${sql}`))[0]?.found ?? -1;
  expect(new Set(ids).size, 'one message for each key').to.equal(sends.length);
  expect(await count('email_message'), 'and no other').to.equal(sends.length);
  expect(await count(`email_message WHERE status = 'sent'`)).to.equal(sends.length);
  expect(await count('(SELECT address FROM email_recipient GROUP BY address HAVING COUNT(*) > 1) AS doubled')).to.equal(
    0,
  );
  expect(await count(`svc_activity WHERE operation = 'email.send'`), 'one audit record each').to.equal(sends.length);
  expect(await count(`svc_event WHERE type = 'email.queued'`), 'one event each').to.equal(sends.length);
  expect(await count(`svc_event WHERE type = 'email.sent'`), 'one end each').to.equal(sends.length);
  const [metered] = await db.rows<{ quantity: string }>(
    "SELECT CAST(COALESCE(SUM(quantity), 0) AS CHAR) AS quantity FROM billing_usage WHERE meter = 'email.message'",
  );
  expect(Number(metered?.quantity), 'each metered once, and nothing given back').to.equal(sends.length);
  expect(await count('email_queue'), 'nothing stuck').to.equal(0);
  const arrivals = new Map<string, string[]>(ids.map((id) => [id, []]));
  for (const received of mail.received)
    arrivals.get(headerOf(received, 'X-Svc-Message-Id') ?? '')?.push(received.raw.toString('latin1'));
  expect(
    [...arrivals].filter(([, copies]) => copies.length === 0).map(([id]) => id),
    'all were delivered',
  ).to.deep.equal([]);
  expect(mail.received, 'nothing else was').to.have.length([...arrivals.values()].flat().length);
  const repeated = [...arrivals.values()].filter((copies) => copies.length > 1);
  expect(repeated.length, 'only what was in flight came twice').to.be.at.most(mayRepeat);
  for (const copies of repeated) {
    expect(copies.length).to.be.at.most(1 + mayRepeat / inFlight);
    expect(new Set(copies).size, 'to the octet, Message-ID included').to.equal(1);
  }
}
