import { joined, type Statement } from '#core/runtime/database/statement.js';
import {
  idLiteral,
  insertLiterals,
  numberLiteral,
  textLiteral,
  timeLiteral,
  type Literal,
} from '#core/runtime/database/literal.js';
import type { ConsentRecordRow } from '../tables/consent.js';
import type { ConsentClaim } from './plan.js';

const recordColumns = [
  'id',
  'environment_id',
  'contact_id',
  'channel',
  'topic',
  'ordinal',
  'state',
  'effective',
  'source',
  'wording',
  'given_at',
  'recorded_at',
  'actor_kind',
  'actor_id',
  'actor_label',
];
const recordLiterals = (row: ConsentRecordRow): Literal[] => [
  idLiteral(row.id),
  idLiteral(row.environmentId),
  idLiteral(row.contactId),
  textLiteral(row.channel),
  textLiteral(row.topic),
  numberLiteral(row.ordinal),
  textLiteral(row.state),
  numberLiteral(row.effective ? 1 : 0),
  textLiteral(row.source),
  textLiteral(row.wording),
  timeLiteral(row.givenAt),
  timeLiteral(row.recordedAt),
  textLiteral(row.actorKind),
  textLiteral(row.actorId),
  textLiteral(row.actorLabel),
];

const stateColumns = ['contact_id', 'channel', 'topic', 'environment_id', 'state', 'since', 'record_id'];
const stateLiterals = (row: ConsentRecordRow): Literal[] => [
  idLiteral(row.contactId),
  textLiteral(row.channel),
  textLiteral(row.topic),
  idLiteral(row.environmentId),
  textLiteral(row.state),
  timeLiteral(row.givenAt),
  idLiteral(row.id),
];

/** Records with their origins, and where they lead each contact: an empty text for none. */
export function recordStatements(appended: readonly { claim: ConsentClaim; row: ConsentRecordRow }[]): Statement {
  const origins = appended.flatMap(({ claim: { ip }, row }) =>
    ip == null ? [] : [[idLiteral(row.id), idLiteral(row.contactId), textLiteral(ip)]],
  );
  // One row per place: of several claims about it the last effective one is where it stands.
  const last = new Map(
    appended
      .filter(({ row }) => row.effective)
      .map(({ row }) => [`${row.contactId} ${row.channel} ${row.topic}`, stateLiterals(row)]),
  );
  const rows = appended.map(({ row }) => recordLiterals(row));
  const states = insertLiterals('audience_consent', stateColumns, [...last.values()]);
  return joined([
    ...(rows.length > 0 ? [insertLiterals('audience_consent_record', recordColumns, rows)] : []),
    ...(origins.length > 0
      ? [insertLiterals('audience_consent_origin', ['record_id', 'contact_id', 'ip'], origins)]
      : []),
    ...(last.size > 0
      ? [
          {
            sql: `${states.sql} ON DUPLICATE KEY UPDATE state = VALUES(state), since = VALUES(since), record_id = VALUES(record_id)`,
            parameters: states.parameters,
          },
        ]
      : []),
  ]);
}
