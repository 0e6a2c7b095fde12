import { joined, type Statement } from '#core/runtime/database/statement.js';
import { consentOrigins, consentRecords, consents, type ConsentRecordRow, type ConsentRow } from '../tables/consent.js';
import type { ConsentClaim } from './plan.js';

/** Statements that insert records with their origins and update the consent states; an empty text for no records. */
export function recordStatements(appended: readonly { claim: ConsentClaim; row: ConsentRecordRow }[]): Statement {
  const origins = appended.flatMap(({ claim: { ip }, row }) =>
    ip == null ? [] : [{ recordId: row.id, contactId: row.contactId, ip }],
  );
  // One row per contact, channel and topic: the last effective record decides.
  const states = new Map<string, ConsentRow>();
  for (const { row } of appended) {
    const { id: recordId, contactId, channel, topic, environmentId, state, givenAt: since } = row;
    if (!row.effective) continue;
    states.set(`${contactId} ${channel} ${topic}`, {
      contactId,
      channel,
      topic,
      environmentId,
      state,
      since,
      recordId,
    });
  }
  return joined([
    ...(appended.length > 0 ? [consentRecords.insertRows(appended.map(({ row }) => row))] : []),
    ...(origins.length > 0 ? [consentOrigins.insertRows(origins)] : []),
    ...(states.size > 0 ? [consents.upsertRows([...states.values()], ['state', 'since', 'recordId'])] : []),
  ]);
}
