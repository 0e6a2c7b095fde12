import type { Session } from '#core/runtime/database/session.js';

/**
 * Counts the batches whose last attempt failed, on all nodes together. They are retried until they are handled.
 * @returns by consumer; consumers without any are absent
 */
export async function failingBatches(db: Pick<Session, 'rows'>): Promise<Map<string, number>> {
  const rows = await db.rows<{ consumer: Buffer; failing: number }>(
    'SELECT consumer, COUNT(*) AS failing FROM svc_event_batch WHERE error IS NOT NULL GROUP BY consumer',
  );
  return new Map(rows.map(({ consumer, failing }) => [consumer.toString(), failing]));
}
