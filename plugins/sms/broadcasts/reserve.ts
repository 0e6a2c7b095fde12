import type { ReadSession } from '#core/runtime/database/read-session.js';
import { isPlain } from '#core/messaging/templates/liquid.js';
import type { Usage } from '#plugins/billing/ports.js';
import { countSegments } from '../segments/count.js';
import { loadSettings } from '../settings/load.js';
import { templateVersionLoader } from '../templates/render.js';

/**
 * The most segments that a text of a template can have: what it has where it uses no variables, else as many as the settings allow. So much
 * is metered until it is rendered.
 */
export async function reservedSegments(
  db: Pick<ReadSession, 'rows' | 'prepared'>,
  environmentId: string,
  versionId: string,
): Promise<number> {
  const [versions, { maxSegments }] = await Promise.all([
    templateVersionLoader.load(db, [versionId]),
    loadSettings(db, environmentId),
  ]);
  const bodies = Object.values(versions.get(versionId)?.contents ?? {}).map(({ body }) => body);
  if (!bodies.every(isPlain)) return maxSegments;
  return Math.min(maxSegments, Math.max(1, ...bodies.map((body) => countSegments(body).segments)));
}

/** What a broadcast would be metered as. The countries of its recipients are not known yet: it is priced as for a country without a price of its own. */
export const expectedUsage = (broadcastId: string, recipients: number, segments: number): Usage[] =>
  recipients * segments === 0
    ? []
    : [{ meter: 'sms.segment', quantity: recipients * segments, country: null, sourceId: broadcastId }];
