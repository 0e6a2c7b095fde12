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
