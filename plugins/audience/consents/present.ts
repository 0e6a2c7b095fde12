import type { ValueOf } from '#core/kernel/schema/schema.js';
import { actorKinds } from '#core/kernel/audit/resource.js';
import type { ConsentRecord } from '../resources.js';
import type { ConsentRecordRow } from '../tables/consent.js';

export type ConsentValue = ValueOf<typeof ConsentRecord>;

/**
 * A consent record as it appears in replies and events. @param ip the address it was given from; null if unknown or
 * erased
 */
export const presentConsent = (row: ConsentRecordRow, ip: string | null): ConsentValue => ({
  id: row.id,
  contactId: row.contactId,
  topic: row.topic,
  channel: row.channel,
  state: row.state,
  effective: row.effective,
  source: row.source,
  wording: row.wording,
  ip,
  givenAt: row.givenAt.toISOString(),
  recordedAt: row.recordedAt.toISOString(),
  actor: {
    kind: actorKinds.find((kind) => kind === row.actorKind) ?? 'system',
    id: row.actorId,
    label: row.actorLabel,
  },
});
