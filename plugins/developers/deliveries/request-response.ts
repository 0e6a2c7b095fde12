import type { Environment } from '#core/kernel/caller/caller.js';
import { eventColumns, presentEvent, type EventRow } from '#core/kernel/events/resource.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { isRecord } from '#core/runtime/json.js';
import type { DeliveryRow } from '../tables/delivery.js';
import { keyedDigest } from '#core/runtime/secrets/digest.js';

/**
 * The request of an attempt. The body is rebuilt from the event, which changes only when a person is erased. The
 * signature is stored.
 */
export async function requestOf(
  db: Session,
  row: DeliveryRow,
  environment: Environment,
): Promise<{ headers: Record<string, string>; body: string }> {
  const [event] = await db.rows<EventRow>(`SELECT ${eventColumns} FROM svc_event v WHERE v.id = ?`, [
    idBytes(row.eventId),
  ]);
  const signature =
    row.signedAt === null || row.signature === null
      ? undefined
      : signatureHeader(row.signedAt, row.signature, row.signatureBefore);
  return {
    headers: deliveryHeaders(row, signature),
    body: event ? JSON.stringify(presentEvent(event, environment)) : '',
  };
}

/** The response to an attempt; null if there was none. */
export function responseOf(row: DeliveryRow): { status: number; headers: Record<string, string>; body: string } | null {
  if (row.responseStatus === null) return null;
  const headers: unknown = JSON.parse(row.responseHeaders ?? '{}');
  return {
    status: row.responseStatus,
    headers: isRecord(headers)
      ? Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
      : {},
    body: row.responseBody?.toString('utf8') ?? '',
  };
}

/**
 * The request headers of a delivery. @param signature the value of Svc-Signature; undefined before the first attempt
 */
export const deliveryHeaders = (
  delivery: { id: string; eventId: string },
  signature: string | undefined,
): Record<string, string> => ({
  'Content-Type': 'application/json',
  'User-Agent': 'svc-webhooks/1',
  'Svc-Event-Id': delivery.eventId,
  'Svc-Delivery-Id': delivery.id,
  ...(signature === undefined ? {} : { 'Svc-Signature': signature }),
});

/**
 * Signs a delivery: HMAC-SHA256 over `<t>.<raw body>` with the secret exactly as issued, prefix included
 * (docs/interface.md, Events).
 * @param at unix seconds of the attempt: signing happens when a delivery is attempted, not when it is queued
 */
export const sign = (secret: string, at: number, body: string): Buffer =>
  keyedDigest(Buffer.from(secret, 'utf8'), `${at}.${body}`);

/** The header `Svc-Signature`. @param before made with the secret before, if a rotation lets both sign */
export const signatureHeader = (at: number, signature: Buffer, before: Buffer | null): string =>
  [`t=${at}`, ...[signature, ...(before ? [before] : [])].map((each) => `v1=${each.toString('hex')}`)].join(',');
