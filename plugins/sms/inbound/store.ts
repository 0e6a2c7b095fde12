import type { FullContext } from '#core/kernel/context.js';
import { countReceived } from '#core/messaging/stats/count.js';
import { isDuplicate } from '#core/runtime/database/errors.js';
import { newId } from '#core/runtime/id.js';
import { textChoices } from '#plugins/audience/ports.js';
import { loadSettings } from '../settings/load.js';
import { inbounds, type InboundRow } from '../tables/inbound.js';
import { statTables } from '../tables/stat.js';
import { matchKeyword } from '../keywords/match.js';
import { applyKeyword } from './apply-keyword.js';
import { presentInbound } from './present.js';
import type { Destination } from './route.js';

/** A received text, as it is stored. */
export interface Received {
  readonly provider: string;
  readonly providerId: string;
  readonly from: string;
  readonly to: string;
  readonly body: string;
}

/**
 * Stores a text for one environment, applies its keyword, and emits `sms.inbound.received`.
 * @param options.isFirst whether the text is for this environment: the others that send from the same number only get
 * STOP and START
 * @returns the id; null if nothing was stored: the text is a repeat or not for this environment, or only its STOP
 * applies here
 */
export async function storeText(
  context: FullContext,
  { environment, numberId, getsOnlyStop }: Destination,
  { provider, providerId, from, to, body }: Received,
  { isFirst }: { isFirst: boolean },
): Promise<string | null> {
  const { db, clock, emit, use } = context;
  const settings = await loadSettings(db, environment.id);
  const sender = await use(textChoices).stateOf(environment.id, from);
  const match = matchKeyword(body, settings.keywords);
  const counts = match !== null && (!match.onlyAfterStop || sender.stopped);
  const keyword = counts ? match.keyword : null;
  if (!isFirst && keyword !== 'stop' && keyword !== 'start') return null;
  const row: InboundRow = {
    id: newId(),
    environmentId: environment.id,
    numberId,
    fromNumber: from,
    toNumber: to,
    body,
    keyword,
    contactId: sender.contactId,
    provider,
    providerId,
    receivedAt: clock.now(),
  };
  if (getsOnlyStop) {
    if (counts && keyword === 'stop')
      await applyKeyword(context, environment, { text: row, match, settings, answers: false });
    return null;
  }
  try {
    await db.insert(inbounds, row);
  } catch (error) {
    // The provider delivered the same text again.
    if (isDuplicate(error, 'provider_id')) return null;
    throw error;
  }
  const received = countReceived(statTables, environment.id, row.receivedAt);
  await db.defer(received);
  const applied = counts
    ? await applyKeyword(context, environment, { text: row, match, settings, answers: isFirst })
    : null;
  const contactId = row.contactId ?? applied?.contactId ?? null;
  if (contactId !== row.contactId) await db.update(inbounds, { id: row.id }, { contactId });
  const data = { inbound: presentInbound({ ...row, contactId }) };
  emit(
    'sms.inbound.received',
    { subjectId: row.id, data, ...(contactId === null ? {} : { personId: contactId }) },
    environment,
  );
  return row.id;
}
