import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import type { Channel } from '../ports.js';
import { topics, type TopicRow } from '../tables/topic.js';
import { channelsOf } from '../topics/present.js';
import type { Holder } from './resolve-link.js';

/** An environment's topics, in the order of their making. */
export const topicsOf = (db: Session, environmentId: string): Promise<TopicRow[]> =>
  db
    .select(topics, 'topic')
    .where('topic.environment_id = :environment', { environment: idBytes(environmentId) })
    .orderBy('topic.id')
    .getMany();

/**
 * What a person decides about on a channel: its public topics, and the one of the message that they came from even where that is not
 * public, since what reaches them must be theirs to end.
 */
export const shownOn = (all: readonly TopicRow[], channel: Channel, { message }: Pick<Holder, 'message'>) =>
  all.filter(
    (row) =>
      row.archivedAt === null &&
      channelsOf(row).includes(channel) &&
      (row.isPublic || (message?.channel === channel && message.topic === row.topic)),
  );

/** What a person agrees to or declines, in the words that the page shows: the evidence that a consent record keeps. */
export const wordingOf = ({ name, description }: TopicRow): string =>
  description === null || description === '' ? name : `${name}: ${description}`;
