import { setTimeout as pause } from 'node:timers/promises';
import type { CallerOptions } from './client.js';
import type { Entry } from './journal.js';

const answerWithinMs = 5_000;
const takenWithinMs = 120_000;

/**
 * Delivers something to svc as a provider does: until it is answered with 200.
 * @param operation names it in the journal: `callback.sms.stop`
 * @param send posts it to a node. @returns the status
 * @throws Error if it is not taken
 */
export async function deliverCallback(
  { journal, violations, addresses, random, onAnswer }: CallerOptions,
  { key, operation, input }: Pick<Entry, 'key' | 'operation' | 'input'>,
  send: (address: string) => Promise<number>,
): Promise<void> {
  const entry: Entry = { key, bearer: '', operation, input, begunAt: Date.now() };
  journal.begin(entry);
  for (let attempt = 1; Date.now() - entry.begunAt < takenWithinMs; attempt += 1) {
    const all = addresses();
    const tried = send(all[Math.floor(random() * all.length)] ?? '').catch(() => 0);
    const status = await Promise.race([tried, pause(answerWithinMs, 0)]);
    if (status === 200) {
      journal.answered(entry, true, '');
      onAnswer(Date.now() - entry.begunAt);
      return;
    }
    entry.wasOpen = true;
    if (status !== 0 && status !== 503)
      violations.add('No call fails because of a kill', `${operation} ${key} was answered with ${status}.`);
    await pause(Math.min(100 * attempt, 1_000));
  }
  violations.add('A call is answered', `${operation} ${key} was not taken within ${takenWithinMs / 1000} s.`);
  throw new Error(`${operation} ${key} was not taken.`);
}
