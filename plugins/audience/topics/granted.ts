import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { channels, type Channel } from '../ports.js';
import type { TopicRow } from '../tables/topic.js';

/** How many contacts are subscribed to a topic on each channel, from the index alone. Erased contacts leave no grant behind. */
export async function grantedUnder(
  db: Session,
  { environmentId, topic }: Pick<TopicRow, 'environmentId' | 'topic'>,
): Promise<Record<Channel, number>> {
  const rows = await db.rows<{ channel: Buffer; granted: number }>(
    `SELECT channel, COUNT(*) AS granted FROM audience_consent
     WHERE environment_id = ? AND topic = ? AND channel IN (?) AND state = 'granted' GROUP BY channel`,
    [idBytes(environmentId), Buffer.from(topic), channels.map((each) => Buffer.from(each))],
  );
  const on = (channel: Channel): number => rows.find((row) => row.channel.toString() === channel)?.granted ?? 0;
  return { email: on('email'), sms: on('sms') };
}
