import { idText } from '#core/runtime/id.js';
import { isRecord } from '#core/runtime/json.js';
import type { Environment } from '../caller/caller.js';
import { anything, dateTime, map, named, nullable, object, oneOf, text, uuid, type ValueOf } from '../schema/schema.js';

export const Event = named(
  'Event',
  object(
    {
      id: uuid('The same at every delivery: use it to recognise repeats. Also the header Svc-Event-Id.'),
      type: text('The event’s name.'),
      createdAt: dateTime('When it happened.'),
      accountId: uuid('The account it belongs to.'),
      projectId: uuid('The project it belongs to.'),
      environmentId: uuid('The environment it belongs to.'),
      environment: oneOf(['live', 'test'], 'The kind of that environment.'),
      activityId: nullable(
        uuid(
          'The audit record of the call that caused it, also where background work wrote it later; null where no call did.',
        ),
      ),
      subject: object(
        { type: text('What kind of thing it is, such as message.'), id: text('Its id.') },
        { description: 'What the event is about.' },
      ),
      data: map(anything(), 'The resource, as its get operation returns it.'),
    },
    {
      description: 'Something that happened in the environment.',
      columns: ['id', 'type', 'subject', 'createdAt', 'activityId'],
    },
  ),
);

export type EventValue = ValueOf<typeof Event>;

/** A row of svc_event, as the database driver returns it. */
export interface EventRow {
  id: Buffer;
  type: Buffer;
  activity_id: Buffer | null;
  subject_type: Buffer;
  subject_id: Buffer;
  data: string;
  created_at: Date;
}

/** The columns of `svc_event v` that `presentEvent` needs. */
export const eventColumns = 'v.id, v.type, v.activity_id, v.subject_type, v.subject_id, v.data, v.created_at';

/**
 * Converts a row to the event of the interface.
 * @param environment the environment of the event
 */
export function presentEvent(
  row: EventRow,
  environment: Pick<Environment, 'id' | 'projectId' | 'accountId' | 'kind'>,
): EventValue {
  const data: unknown = JSON.parse(row.data);
  return {
    id: idText(row.id),
    type: row.type.toString(),
    createdAt: row.created_at.toISOString(),
    accountId: environment.accountId,
    projectId: environment.projectId,
    environmentId: environment.id,
    environment: environment.kind,
    activityId: row.activity_id && idText(row.activity_id),
    subject: { type: row.subject_type.toString(), id: row.subject_id.toString() },
    data: isRecord(data) ? data : {},
  };
}

/**
 * Returns the same JSON text as `JSON.stringify(presentEvent(…))`, byte for byte. The stored `data` text is copied
 * without parsing it, because parsing would cost as much as signing and sending the delivery (measured).
 */
export function eventText(row: EventRow, environment: Parameters<typeof presentEvent>[1]): string {
  const { data: _, ...fields } = presentEvent({ ...row, data: '{}' }, environment);
  return `${JSON.stringify(fields).slice(0, -1)},"data":${row.data.startsWith('{') ? row.data : '{}'}}`;
}

export const exampleEvent = {
  id: '01890a5d-ac96-774b-bcce-b302099a8500',
  type: 'account.updated',
  createdAt: '2026-11-20T09:30:00.000Z',
  accountId: '01890a5d-ac96-774b-bcce-b302099a8100',
  projectId: '01890a5d-ac96-774b-bcce-b302099a8101',
  environmentId: '01890a5d-ac96-774b-bcce-b302099a8000',
  environment: 'live' as const,
  activityId: '01890a5d-ac96-774b-bcce-b302099a8300',
  subject: { type: 'account', id: '01890a5d-ac96-774b-bcce-b302099a8100' },
  data: { account: { id: '01890a5d-ac96-774b-bcce-b302099a8100', name: 'Acme Ltd' } },
};
