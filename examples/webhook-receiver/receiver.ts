import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { constructEvent, WebhookRejected, type Event } from 'svc-sdk/webhooks';

const secret = process.env['WEBHOOK_SECRET'] ?? '';
const port = Number(process.env['PORT'] ?? 3000);
const largestBody = 1024 * 1024;
const handled = new Set<string>();

/** The body's bytes, unparsed: the signature covers exactly these. */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const arriving: AsyncIterable<Buffer> = request;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of arriving) {
    size += chunk.length;
    if (size > largestBody) throw new Error('The body is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** What your program does with an event. */
function handleEvent(event: Event): void {
  if (handled.has(event.id)) {
    console.log(`${event.id} again: already handled`);
    return;
  }
  handled.add(event.id);
  // The type of event.data follows from event.type.
  if (event.type === 'developers.key.created') console.log(`There is a new key, “${event.data.key.name}”.`);
  console.log(`${event.id} ${JSON.stringify(event)}`);
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST' || request.url !== '/hooks/svc') {
    response.writeHead(404).end();
    return;
  }
  const body = await readBody(request);
  const event = constructEvent(body, request.headers['svc-signature'], secret);
  // Answered before the event is handled: svc waits 15 seconds at most.
  response.writeHead(204).end();
  handleEvent(event);
}

if (secret === '') {
  console.error('Set WEBHOOK_SECRET to the secret that developers.webhook.create answered.');
  process.exit(1);
}
const server = createServer((request, response) => {
  receive(request, response).catch((error: unknown) => {
    console.error(error instanceof WebhookRejected ? `Rejected: ${error.reason}` : error);
    if (!response.headersSent) response.writeHead(400);
    response.end();
  });
});
server.listen(port, '127.0.0.1', () => {
  const address = server.address();
  console.log(
    `Listening at http://127.0.0.1:${typeof address === 'object' && address ? address.port : port}/hooks/svc`,
  );
});
process.once('SIGTERM', () => server.close());
