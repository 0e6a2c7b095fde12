import type { Context } from '#core/kernel/context.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import { closedEnvironments, findEnvironment } from '#core/kernel/environment/environment.js';
import { environmentTurns } from '#core/kernel/environment/turns.js';
import type { Services } from '#core/kernel/services.js';
import { shift } from '#core/runtime/clock.js';
import { completeWork, enqueueStatement, postponeWork, type WorkQueue } from '#core/runtime/work/queue.js';
import { settings } from '../settings.js';
import { words } from '../tables/word.js';

const queue = { name: 'ping.forward', table: 'ping_forward_queue' } as const;

/** Queues a word for SVC_PING_FORWARD_URL, in the transaction that adds it. */
export async function queueForward(
  { db, clock, deployment, wake }: Context,
  environment: Environment,
  wordId: string,
): Promise<void> {
  if (deployment.settingsOf(settings).pingForwardUrl === undefined) return;
  const { sql, parameters } = enqueueStatement(queue, [
    { id: wordId, partitionId: environment.id, lane: 'transactional', dueAt: clock.now() },
  ]);
  await db.run(sql, parameters);
  wake(queue.name);
}

/** Sends queued words to SVC_PING_FORWARD_URL, at least once each. */
export const forwardQueue = ({ database, clock, deployment, http, transaction }: Services): WorkQueue => ({
  ...queue,
  concurrency: 8,
  turnsOf: environmentTurns(database),
  excludedPartitions: [{ partitions: closedEnvironments }],
  async perform(claim) {
    const { pingForwardUrl } = deployment.settingsOf(settings);
    const row = await database.findOne(words, { id: claim.id });
    const environment = row && (await findEnvironment(database, row.environmentId));
    if (!row || !environment || pingForwardUrl === undefined) {
      await completeWork(database, queue, claim);
      return;
    }
    const answer = await http.request({
      method: 'POST',
      url: pingForwardUrl,
      http: true,
      headers: { 'content-type': 'application/json', 'idempotency-key': row.id },
      body: JSON.stringify({ word: row.word }),
    });
    if (!answer.ok || answer.status >= 300) {
      await postponeWork(database, queue, claim, shift(clock.now(), 60_000 * claim.attempts));
      return;
    }
    await transaction('Word forwarding', async ({ db, actIn, emit }) => {
      if (!(await completeWork(db, queue, claim))) return;
      actIn(environment);
      emit('ping.word.forwarded', { subjectId: row.id, data: { word: row.word } });
    });
  },
});
