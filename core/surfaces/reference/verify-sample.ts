/** A program that verifies a webhook's signature without the SDK, for the reference. */
export const verifySample = `import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * @param secret the endpoint's secret: svc_wh_…
 * @param header the header Svc-Signature
 * @param body the body's bytes, as they arrived
 */
export function isFromSvc(secret, header, body) {
  const [, time, signature] = /^t=(\\d{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? [];
  if (time === undefined) return false;
  if (Math.abs(Date.now() / 1000 - Number(time)) > 300) return false;
  const expected = createHmac('sha256', secret).update(time + '.').update(body).digest();
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'));
}`;
