import type { Statement } from '#core/runtime/database/statement.js';
import { idLiteral, insertLiterals, numberLiteral, textLiteral, timeLiteral } from '#core/runtime/database/literal.js';
import type { Environment } from '../caller/caller.js';
import type { EventDeclaration, NewEvent } from './declare.js';

export interface PendingEvent {
  id: string;
  name: string;
  declaration: EventDeclaration;
  news: NewEvent;
  environment: Environment;
}

/** What to wake once events have committed. */
export const eventQueue = 'svc.events';

const columns = [
  'id',
  'environment_id',
  'type',
  'activity_id',
  'subject_type',
  'subject_id',
  'person_id',
  'data',
  'pending',
  'created_at',
] as const;

/** The rows of events, written in the transaction whose news they are (transactional outbox). `activityId` is null for workers. */
export function eventStatement(events: readonly PendingEvent[], activityId: string | null, at: Date): Statement {
  const moment = timeLiteral(at);
  return insertLiterals(
    'svc_event',
    columns,
    events.map(({ id, name, declaration, news, environment }) => [
      idLiteral(id),
      idLiteral(environment.id),
      textLiteral(name),
      idLiteral(news.activityId ?? activityId),
      textLiteral(declaration.subject),
      textLiteral(news.subjectId),
      idLiteral(news.personId ? news.personId : null),
      textLiteral(JSON.stringify(news.data)),
      numberLiteral(news.direct === true ? null : 1),
      moment,
    ]),
  );
}
