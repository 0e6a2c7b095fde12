import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received request. */
export interface Arrived {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Answers one request: one step of the script. */
export type Line = (request: Arrived, response: ServerResponse, incoming: IncomingMessage) => void | Promise<void>;

export interface Script {
  /** Requests received since the last `plays`. */
  readonly arrived: Arrived[];
  readonly address: string;
  /** Sets the responses to the next requests, in order. The last one also answers all further requests. */
  plays(...lines: Line[]): void;
}

const read = async (incoming: IncomingMessage): Promise<string> => {
  const chunks: string[] = [];
  incoming.setEncoding('utf8');
  for await (const chunk of incoming) chunks.push(String(chunk));
  return chunks.join('');
};

/** Starts a real server on loopback that answers by script. Call it inside `describe`. */
export function useScript(): Script {
  let lines: Line[] = [];
  const arrived: Arrived[] = [];
  const server = createServer((incoming, response) => {
    void read(incoming).then(async (body) => {
      const request = { path: incoming.url ?? '', headers: incoming.headers, body };
      arrived.push(request);
      const line = lines.length > 1 ? lines.shift() : lines[0];
      await line?.(request, response, incoming);
    });
  });
  const port = (): number => {
    const at = server.address();
    return isAddress(at) ? at.port : 0;
  };
  before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    arrived,
    get address() {
      return `http://127.0.0.1:${port()}`;
    },
    plays(...next) {
      lines = next;
      arrived.length = 0;
    },
  };
}

const isAddress = (at: string | AddressInfo | null): at is AddressInfo => typeof at === 'object' && at !== null;

/** Answers with a result. */
export const answers =
  (result: unknown, headers: Record<string, string> = {}): Line =>
  (_, response) =>
    void response
      .writeHead(200, { 'Content-Type': 'application/json', ...headers })
      .end(JSON.stringify({ activityId: '', result }));

/** Answers with an error. */
export const refuses =
  (status: number, code: string, fix = 'Do something else.', headers: Record<string, string> = {}): Line =>
  (_, response) =>
    void response
      .writeHead(status, { 'Content-Type': 'application/json', ...headers })
      .end(JSON.stringify({ error: { code, message: `It was ${code}.`, fix, requestId: 'request-1' } }));

/** Closes the connection without a response. */
export const breaks: Line = (_request, response) => void response.destroy();

/** Never answers. */
export const hangs: Line = () => undefined;

/** Forwards the request to another server and returns its response. */
export const forwards =
  (to: () => string): Line =>
  async ({ path, headers, body }, response) => {
    const answer = await forwarded(to(), path, headers, body);
    response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(answer.text);
  };

/** Forwards the request and drops the response, so the caller cannot know that the write happened. */
export const losesAnswer =
  (to: () => string): Line =>
  async ({ path, headers, body }, response) => {
    await forwarded(to(), path, headers, body);
    response.destroy();
  };

async function forwarded(
  to: string,
  path: string,
  headers: IncomingHttpHeaders,
  body: string,
): Promise<{ status: number; text: string }> {
  const key = headers['idempotency-key'];
  const answer = await fetch(to + path, {
    method: 'POST',
    body,
    headers: {
      'Content-Type': 'application/json',
      Authorization: headers.authorization ?? '',
      ...(typeof key === 'string' ? { 'Idempotency-Key': key } : {}),
    },
  });
  return { status: answer.status, text: await answer.text() };
}

/** The error that a call was rejected with. */
export async function rejectionOf(call: Promise<unknown>): Promise<unknown> {
  const outcome = await call.then(
    () => ({ rejected: false, reason: undefined }),
    (reason: unknown) => ({ rejected: true, reason }),
  );
  if (!outcome.rejected) throw new Error('The call went through.');
  return outcome.reason;
}
