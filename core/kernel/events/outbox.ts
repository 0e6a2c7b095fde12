import type { Statement } from '#core/runtime/database/statement.js';
import { idLiteral, insertLiterals, numberLiteral, textLiteral, timeLiteral } from '#core/runtime/database/literal.js';
import { lanes } from '#core/runtime/work/queue.js';
import type { Environment } from '../caller/caller.js';
import type { EventDeclaration, NewEvent } from '../event.js';

export interface PendingEvent {
  id: string;
  name: string;
  declaration: EventDeclaration;
  event: NewEvent;
  environment: Environment;
  /** The position in the environment's log, if the transaction assigns it itself (positions.ts). */
  position?: number;
}

/** The queue to wake after events have committed (sequencer.ts). */
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
  'lane',
  'direct',
  'pending',
  'position',
  'created_at',
] as const;

/**
 * The statement that inserts events. Run it in the transaction that makes the changes they report (transactional
 * outbox).
 * @param activityId the audit record of the call, or of the call that started background work; null if there is none
 */
export function eventStatement(events: readonly PendingEvent[], activityId: string | null, at: Date): Statement {
  const createdAt = timeLiteral(at);
  return insertLiterals(
    'svc_event',
    columns,
    events.map(({ id, name, declaration, event, environment, position }) => [
      idLiteral(id),
      idLiteral(environment.id),
      textLiteral(name),
      idLiteral(event.activityId ?? activityId),
      textLiteral(declaration.subject),
      textLiteral(event.subjectId),
      idLiteral(event.personId ? event.personId : null),
      textLiteral(JSON.stringify(event.data)),
      numberLiteral(lanes[event.lane ?? 'transactional']),
      numberLiteral(event.direct === true ? 1 : 0),
      numberLiteral(position === undefined ? 1 : null),
      numberLiteral(position ?? null),
      createdAt,
    ]),
  );
}
