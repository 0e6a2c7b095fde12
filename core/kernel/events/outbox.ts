import { insertInto, type Statement } from '#core/runtime/database/statement.js';
import { idBytes, newId } from '#core/runtime/id.js';
import type { Environment } from '../caller/caller.js';
import type { EventDeclaration, News } from './declare.js';

export interface PendingEvent {
  name: string;
  declaration: EventDeclaration;
  news: News;
  environment: Environment;
}

/** The rows of events, written in the transaction whose news they are (transactional outbox). `activityId` is null for workers. */
export function eventStatement(events: readonly PendingEvent[], activityId: string | null, at: Date): Statement {
  return insertInto(
    'svc_event',
    events.map(({ name, declaration, news, environment }) => ({
      id: idBytes(newId()),
      environment_id: idBytes(environment.id),
      type: Buffer.from(name),
      activity_id: activityId === null ? null : idBytes(activityId),
      subject_type: Buffer.from(declaration.subject),
      subject_id: Buffer.from(news.subjectId),
      person_id: news.personId ? idBytes(news.personId) : null,
      data: JSON.stringify(news.data),
      created_at: at,
    })),
  );
}
