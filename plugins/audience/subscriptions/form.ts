import type { Environment } from '#core/kernel/caller/caller.js';
import { findEnvironment } from '#core/kernel/environment/environment.js';
import type { Session } from '#core/runtime/database/session.js';
import { isId } from '#core/runtime/id-form.js';
import { topics, type SubscribeForm, type TopicRow } from '../tables/topic.js';
import { channelsOf } from '../topics/present.js';

/** A topic with a form that is in use. */
export interface OpenForm {
  environment: Environment;
  topic: TopicRow;
  settings: SubscribeForm;
}

/**
 * The subscribe form of a topic.
 * @returns null if there is no such topic, or if it is archived or has no form
 */
export async function findForm(db: Session, environmentId: string, key: string): Promise<OpenForm | null> {
  const environment = isId(environmentId) ? await findEnvironment(db, environmentId) : null;
  const topic = environment && (await db.findOne(topics, { environmentId: environment.id, topic: key }));
  if (!topic || topic.archivedAt || !topic.subscribeForm || !channelsOf(topic).includes('email')) return null;
  return { environment, topic, settings: topic.subscribeForm };
}
