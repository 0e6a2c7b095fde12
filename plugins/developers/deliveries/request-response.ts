import type { Environment } from '#core/kernel/caller/caller.js';
import { eventColumns, presentEvent, type EventRow } from '#core/kernel/events/resource.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { isRecord } from '#core/runtime/json.js';
import type { DeliveryRow } from '../tables/delivery.js';
import { signatureHeader, standardSignatureHeader } from './signatures.js';

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
  const { signedAt, signature, signatureBefore, standardSignature, standardSignatureBefore } = row;
  const signed =
    signedAt === null || signature === null
      ? undefined
      : { signedAt, signature, signatureBefore, standardSignature, standardSignatureBefore };
  return {
    headers: deliveryHeaders(row, signed),
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

/** When and how an attempt was signed. */
export interface Signed {
  /** Unix seconds. */
  readonly signedAt: number;
  readonly signature: Buffer;
  /** Made with the secret before, if a rotation lets both sign. */
  readonly signatureBefore: Buffer | null;
  /** By Standard Webhooks; null for attempts by older versions. */
  readonly standardSignature: Buffer | null;
  readonly standardSignatureBefore: Buffer | null;
}

/** The request headers of a delivery. @param signed undefined before the first attempt */
export const deliveryHeaders = (
  delivery: { id: string; eventId: string },
  signed: Signed | undefined,
): Record<string, string> => ({
  'Content-Type': 'application/json',
  'User-Agent': 'svc-webhooks/1',
  'Svc-Event-Id': delivery.eventId,
  'Svc-Delivery-Id': delivery.id,
  ...(signed && { 'Svc-Signature': signatureHeader(signed.signedAt, signed.signature, signed.signatureBefore) }),
  ...(signed?.standardSignature && {
    // Standard Webhooks writes the names in lower case.
    'webhook-id': delivery.eventId,
    'webhook-timestamp': String(signed.signedAt),
    'webhook-signature': standardSignatureHeader(signed.standardSignature, signed.standardSignatureBefore),
  }),
});
