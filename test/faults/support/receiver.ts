import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** A request as received, not yet verified. */
export interface Receipt {
  path: string;
  signature: string;
  deliveryId: string;
  eventId: string;
  body: string;
  at: number;
}

/** Receives webhooks on one port, at any path; each path may have its own answer. */
export interface Receiver {
  readonly url: string;
  readonly receipts: readonly Receipt[];
  /** Sets how requests to a path are answered; 204 by default. */
  answer(path: string, how: (response: ServerResponse) => void): void;
  of(path: string): Receipt[];
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const receipts: Receipt[] = [];
  const answers = new Map<string, (response: ServerResponse) => void>();
  const header = (request: IncomingMessage, name: string): string => {
    const value = request.headers[name];
    return typeof value === 'string' ? value : '';
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      receipts.push({
        path,
        signature: header(request, 'svc-signature'),
        deliveryId: header(request, 'svc-delivery-id'),
        eventId: header(request, 'svc-event-id'),
        body: Buffer.concat(chunks).toString('utf8'),
        at: Date.now(),
      });
      const answer = answers.get(path);
      if (answer) answer(response);
      else response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The receiver has no port.');
  return {
    url: `http://127.0.0.1:${bound.port}`,
    receipts,
    answer: (path, how) => void answers.set(path, how),
    of: (path) => receipts.filter((receipt) => receipt.path === path),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const isEvent = (value: unknown): value is { id: string; type: string } =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  'type' in value &&
  typeof value.type === 'string';

/**
 * Verifies a request by docs/interface.md, without svc's own code: HMAC-SHA256 over `<t>.<raw body>`, keyed with the
 * whole secret; `t` in unix seconds, at most five minutes old.
 * @returns the event
 * @throws Error that states what is wrong with it
 */
export function verified(receipt: Receipt, secret: string): { id: string; type: string } {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(receipt.signature) ?? [];
  if (t === undefined || v1 === undefined) throw new Error(`Svc-Signature reads “${receipt.signature}”.`);
  const expected = createHmac('sha256', secret).update(`${t}.${receipt.body}`).digest('hex');
  if (expected !== v1) throw new Error(`The signature of delivery ${receipt.deliveryId} is not over its body.`);
  if (Math.abs(receipt.at / 1000 - Number(t)) > 300) throw new Error(`Delivery ${receipt.deliveryId} is stale.`);
  const event: unknown = JSON.parse(receipt.body);
  if (!isEvent(event)) throw new Error(`Delivery ${receipt.deliveryId} does not carry an event.`);
  if (event.id !== receipt.eventId) throw new Error(`Svc-Event-Id is not the event’s id: ${receipt.eventId}.`);
  return event;
}
