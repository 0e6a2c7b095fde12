import { createServer } from 'node:http';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { RowDataPacket } from 'mysql2/promise';
import { idBytes } from '#core/runtime/id.js';
import { draftBroadcast } from './broadcast-draft.js';
import { call } from '../call.js';
import { isRecord } from '../json.js';
import { percentile } from '../load.js';
import type { Stage } from '../stage.js';

/** Milliseconds between two mails of the other environment, which makes half of the calls that a key may make. */
const everyMs = 200;

const textOf = (value: unknown, ...names: (string | number)[]): string => {
  const found = names.reduce<unknown>((each, name) => (isRecord(each) ? Reflect.get(each, name) : undefined), value);
  return typeof found === 'string' ? found : '';
};

/**
 * A receiver of events: how long each took from its transaction until it arrived, by the clock of this machine, which
 * the nodes share.
 */
async function startReceiver(): Promise<{ url: string; took: number[]; close: () => void }> {
  const took: number[] = [];
  const server = createServer((incoming, answer) => {
    const arrived = Date.now();
    let body = '';
    incoming.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    incoming.on('end', () => {
      answer.end();
      const event: unknown = JSON.parse(body);
      took.push(arrived - Date.parse(textOf(event, 'createdAt')));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  return { url: `http://127.0.0.1:${port}/hook`, took, close: () => server.close() };
}

/**
 * How long mails took from their call until the mail server accepted them, from `skipped` on, in the order of their
 * calls.
 */
async function mailTimes({ database }: Stage, messageIds: readonly string[], skipped: number): Promise<number[]> {
  const [rows] = await database.query<(RowDataPacket & { ms: number | string | null })[]>(
    'SELECT TIMESTAMPDIFF(MICROSECOND, created_at, sent_at) / 1000 AS ms FROM email_message WHERE id IN (?)',
    [messageIds.slice(skipped).map(idBytes)],
  );
  return rows.flatMap(({ ms }) => (ms === null ? [] : [Number(ms)]));
}

/**
 * Measures the effect of a broadcast on others: another project’s mails and webhooks, while the same worker creates and
 * delivers the messages of the broadcast.
 */
export async function benchNeighbours(stage: Stage, recipients: number, say: (line: string) => void): Promise<void> {
  const sink = await stage.startFloor('mail-sink');
  process.kill(sink.pid, 'SIGUSR2');
  const { broadcastId } = await draftBroadcast(stage, recipients);
  const made = await call(stage, 'account.project.create', { name: 'Neighbour' });
  const [live, test]: Stage[] = ['live', 'test'].map((kind) => ({
    ...stage,
    keys: [textOf(made, 'keys', kind, 'secret')],
  }));
  if (!live || !test) throw new Error('The project has no environments.');
  const { url, took: webhooks, close } = await startReceiver();
  // Test environments may have endpoints on this machine; their mail goes only to members.
  await call(test, 'developers.webhook.create', { url, eventTypes: ['audience.contact.created'] });
  const worker = await stage.startNode({ SVC_ROLE: 'worker', SVC_SMTP_URL: sink.address.replace(/^http/, 'smtp') });
  const mails: string[] = [];
  const act = async (): Promise<void> => {
    const externalId = `person.${mails.length}`;
    const mail = { to: `${externalId}@example.com`, subject: 'Receipt', text: 'Thank you.' };
    const [{ messageId }] = await Promise.all([
      call(live, 'email.send', mail),
      call(test, 'audience.contact.upsert', { externalId }),
    ]);
    mails.push(String(messageId));
    await pause(everyMs);
  };
  const isComplete = async (): Promise<boolean> => {
    const [rows] = await stage.database.query<RowDataPacket[]>(
      'SELECT id FROM email_broadcast WHERE id = ? AND completed_at IS NOT NULL',
      [idBytes(broadcastId)],
    );
    return rows.length > 0;
  };
  /** Waits for what is in progress, and reports the times from `skipped` on. */
  const tell = async (phase: string, skipped: number): Promise<void> => {
    const until = performance.now() + 60_000;
    const count = mails.length - skipped;
    let sent = await mailTimes(stage, mails, skipped);
    while ((sent.length < count || webhooks.length < mails.length) && performance.now() < until) {
      await pause(100);
      sent = await mailTimes(stage, mails, skipped);
    }
    const facts = Object.entries({ mails: sent, webhooks: webhooks.slice(skipped) }).map(
      ([name, times]) =>
        `${times.length} of ${count} ${name} p50 ${percentile(times, 0.5).toFixed(0)} ms, p99 ${percentile(times, 0.99).toFixed(0)} ms`,
    );
    say(`${phase}: ${facts.join('; ')}; load ${loadavg()[0]?.toFixed(1) ?? '?'}`);
  };
  for (let index = 0; index < 50; index += 1) await act();
  await tell('alone', 0);
  const before = mails.length;
  await call(stage, 'email.broadcast.send', { broadcastId });
  const began = performance.now();
  do await act();
  while (!(await isComplete()));
  say(`broadcast to ${recipients} contacts: ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  await tell('beside the broadcast (targets: p99 of mails ≤ 2000 ms, of webhooks ≤ 1000 ms)', before);
  await worker.stop();
  close();
  await sink.stop();
}
