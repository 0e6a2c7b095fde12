import { insertInto, type Statement } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import type { Environment } from '../caller/caller.js';
import type { EventDeclaration, News } from './declare.js';

export interface PendingEvent {
  id: string;
  name: string;
  declaration: EventDeclaration;
  news: News;
  environment: Environment;
}

/** What to wake once events have committed. */
export const eventQueue = 'svc.events';

/** The rows of events, written in the transaction whose news they are (transactional outbox). `activityId` is null for workers. */
export function eventStatement(events: readonly PendingEvent[], activityId: string | null, at: Date): Statement {
  return insertInto(
    'svc_event',
    events.map(({ id, name, declaration, news, environment }) => ({
      id: idBytes(id),
      environment_id: idBytes(environment.id),
      type: Buffer.from(name),
      activity_id: activityId === null ? null : idBytes(activityId),
      subject_type: Buffer.from(declaration.subject),
      subject_id: Buffer.from(news.subjectId),
      person_id: news.personId ? idBytes(news.personId) : null,
      data: JSON.stringify(news.data),
      pending: news.direct === true ? null : 1,
      created_at: at,
    })),
  );
}
