import { createHmac } from 'node:crypto';
import { causeOf } from '../../cause.js';

export interface Outcome {
  /** Absent without an answer. */
  readonly status?: number;
  readonly text?: string;
  readonly error?: string;
  readonly ms: number;
}

/** The server's own time limit for deliveries. */
const timeoutMs = 15_000;

/** Posts an event like a webhook delivery, with a current signature (docs/interface.md, Events). */
export async function forwardEvent(
  url: string,
  secret: string,
  { eventId, deliveryId, body }: { eventId: string; deliveryId: string; body: string },
): Promise<Outcome> {
  const began = performance.now();
  const t = Math.floor(Date.now() / 1000);
  const hmac = (text: string) => createHmac('sha256', secret).update(text);
  const v1 = hmac(`${t}.${body}`).digest('hex');
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'svc-webhooks/1',
        'Svc-Event-Id': eventId,
        'Svc-Delivery-Id': deliveryId,
        'Svc-Signature': `t=${t},v1=${v1}`,
        'webhook-id': eventId,
        'webhook-timestamp': String(t),
        'webhook-signature': `v1,${hmac(`${eventId}.${t}.${body}`).digest('base64')}`,
      },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    return { status: response.status, text, ms: Math.round(performance.now() - began) };
  } catch (error) {
    return { error: causeOf(error), ms: Math.round(performance.now() - began) };
  }
}
