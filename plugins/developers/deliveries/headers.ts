/** The headers of a delivery. @param signature the header Svc-Signature; absent for one that was not attempted yet */
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
