import { idText } from '#core/runtime/id.js';
import type { Change } from '../context.js';
import {
  anything,
  dateTime,
  list,
  named,
  nullable,
  object,
  oneOf,
  text,
  uuid,
  type ValueOf,
} from '../schema/schema.js';

export const actorKinds = ['key', 'member', 'user', 'public', 'system'] as const;

export const Activity = named(
  'Activity',
  object(
    {
      id: uuid('The activity’s id, which the call answered as `activityId`.'),
      operation: text('The operation that was called.'),
      actor: object(
        {
          kind: oneOf(
            actorKinds,
            'What called: a key, a member’s session, a user’s session, nobody known, or svc itself.',
          ),
          id: text('The id of the key, member or user.'),
          label: text('For people: a key’s name, a member’s address.'),
        },
        { description: 'Who did it.' },
      ),
      subject: nullable(
        object(
          { type: text('What kind of thing it is, such as key.'), id: text('Its id.') },
          { description: 'What was changed.' },
        ),
      ),
      summary: text('One line for people; only the operation for callers that may not read its product.'),
      changes: list(
        object({
          field: text('The field that changed.'),
          from: anything('Its value before.'),
          to: anything('Its value after.'),
        }),
        'Which fields changed, with both values; empty where nothing changed, and for callers that may not read the operation’s product. Secrets are withheld, and a segment’s definition is shown as a keyed digest, because it may name people.',
      ),
      requestId: uuid('The request that did it.'),
      ip: text('The IP address of the request; empty for callers that may not read the operation’s product.'),
      userAgent: nullable(text('The header User-Agent of the request.')),
      createdAt: dateTime('When it happened.'),
    },
    {
      description: 'An audit record: what a call changed, and who made it.',
      columns: ['actor', 'summary', 'subject', 'createdAt', 'operation', 'id', 'ip'],
    },
  ),
);

export type ActivityValue = ValueOf<typeof Activity>;

/** A row of svc_activity as read by plain SQL. */
export interface ActivityRow {
  id: Buffer;
  operation: Buffer;
  actor_kind: Buffer;
  actor_id: Buffer;
  actor_label: string;
  subject_type: Buffer | null;
  subject_id: Buffer | null;
  summary: string;
  changes: string;
  request_id: Buffer;
  ip: string;
  user_agent: string | null;
  created_at: Date;
}

/** The columns to select from `svc_activity a` for `presentActivity`. */
export const activityColumns =
  'a.id, a.operation, a.actor_kind, a.actor_id, a.actor_label, a.subject_type, a.subject_id, a.summary, a.changes, ' +
  'a.request_id, a.ip, a.user_agent, a.created_at';

const isChange = (value: unknown): value is Partial<Change> & { field: string } =>
  typeof value === 'object' && value !== null && 'field' in value && typeof value.field === 'string';

function changesOf(json: string): Change[] {
  const stored: unknown = JSON.parse(json);
  // JSON omits a value that was undefined.
  return Array.isArray(stored)
    ? stored.filter(isChange).map(({ field, from = null, to = null }) => ({ field, from, to }))
    : [];
}

/** Converts an audit record to its resource. */
export const presentActivity = (row: ActivityRow): ActivityValue => ({
  id: idText(row.id),
  operation: row.operation.toString(),
  actor: {
    kind: actorKinds.find((kind) => kind === row.actor_kind.toString()) ?? 'system',
    id: row.actor_id.toString(),
    label: row.actor_label,
  },
  subject:
    row.subject_type && row.subject_id ? { type: row.subject_type.toString(), id: row.subject_id.toString() } : null,
  summary: row.summary,
  changes: changesOf(row.changes),
  requestId: idText(row.request_id),
  ip: row.ip,
  userAgent: row.user_agent,
  createdAt: row.created_at.toISOString(),
});

export const exampleActivity = {
  id: '01890a5d-ac96-774b-bcce-b302099a8300',
  operation: 'account.update',
  actor: { kind: 'key' as const, id: '01890a5d-ac96-774b-bcce-b302099a8057', label: 'Shop backend' },
  subject: { type: 'account', id: '01890a5d-ac96-774b-bcce-b302099a8100' },
  summary: 'Changed the account’s facts.',
  changes: [{ field: 'name', from: 'Acme', to: 'Acme Ltd' }],
  requestId: '01890a5d-ac96-774b-bcce-b302099a8400',
  ip: '203.0.113.7',
  userAgent: 'svc/1.0',
  createdAt: '2026-11-20T09:30:00.000Z',
};
