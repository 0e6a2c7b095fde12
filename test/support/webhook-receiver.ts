import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedWebhook {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  event: { id: string; type: string; data: Record<string, unknown> } & Record<string, unknown>;
}

export interface WebhookReceiver {
  url: string;
  received: ReceivedWebhook[];
  /** Answers a delivery; with 204 by default. */
  answer: (webhook: ReceivedWebhook, response: ServerResponse) => void;
  /** Waits until this many deliveries have arrived, or until the predicate is true. */
  waitFor(enough: number | ((all: readonly ReceivedWebhook[]) => boolean)): Promise<ReceivedWebhook[]>;
  close(): Promise<void>;
}

const deadlineMs = 15_000;

const isEvent = (value: unknown): value is ReceivedWebhook['event'] =>
  typeof value === 'object' && value !== null && 'id' in value && 'type' in value && 'data' in value;

/** A webhook receiver on loopback, written from docs/interface.md without svc's code. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const watchers = new Set<() => void>();
  const receiver: WebhookReceiver = {
    url: '',
    received,
    answer: (_, response) => void response.writeHead(204).end(),
    waitFor(enough) {
      const done = (): boolean => (typeof enough === 'number' ? received.length >= enough : enough(received));
      return new Promise((resolve, reject) => {
        const look = (): void => {
          if (!done()) return;
          watchers.delete(look);
          clearTimeout(late);
          resolve([...received]);
        };
        const late = setTimeout(() => {
          watchers.delete(look);
          reject(
            new Error(
              `Waited ${deadlineMs / 1000} s for webhooks; received ${received.length}: ${received.map(({ event }) => event.type).join(', ')}`,
            ),
          );
        }, deadlineMs);
        watchers.add(look);
        look();
      });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const event: unknown = JSON.parse(body);
      if (!isEvent(event)) {
        response.writeHead(400).end();
        return;
      }
      const webhook = { path: request.url ?? '', headers: request.headers, body, event };
      received.push(webhook);
      receiver.answer(webhook, response);
      watchers.forEach((look) => look());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address: AddressInfo | string | null = server.address();
  receiver.url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  return receiver;
}
