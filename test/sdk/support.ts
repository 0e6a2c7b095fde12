import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrived. */
export interface Arrived {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** How one request is answered: the script's next line. */
export type Line = (request: Arrived, response: ServerResponse, incoming: IncomingMessage) => void | Promise<void>;

export interface Script {
  /** What arrived since the last `plays`. */
  readonly arrived: Arrived[];
  readonly address: string;
  /** Sets the answers to come, in turn; the last one also answers whatever comes after it. */
  plays(...lines: Line[]): void;
}

const read = async (incoming: IncomingMessage): Promise<string> => {
  const chunks: string[] = [];
  incoming.setEncoding('utf8');
  for await (const chunk of incoming) chunks.push(String(chunk));
  return chunks.join('');
};

/** A real server on loopback that answers by script. Call it inside `describe`. */
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

/** Answers with a refusal. */
export const refuses =
  (status: number, code: string, fix = 'Do something else.', headers: Record<string, string> = {}): Line =>
  (_, response) =>
    void response
      .writeHead(status, { 'Content-Type': 'application/json', ...headers })
      .end(JSON.stringify({ error: { code, message: `It was ${code}.`, fix, requestId: 'request-1' } }));

/** Breaks the connection without an answer. */
export const breaks: Line = (_request, response) => void response.destroy();

/** Never answers. */
export const hangs: Line = () => undefined;

/** Hands the request to another server and its answer back. */
export const forwards =
  (to: () => string): Line =>
  async ({ path, headers, body }, response) => {
    const answer = await forwarded(to(), path, headers, body);
    response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(answer.text);
  };

/** Hands the request on, and loses the answer: the caller cannot know that it was done. */
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

/** What a call was rejected with. */
export async function rejectionOf(call: Promise<unknown>): Promise<unknown> {
  const outcome = await call.then(
    () => ({ rejected: false, reason: undefined }),
    (reason: unknown) => ({ rejected: true, reason }),
  );
  if (!outcome.rejected) throw new Error('The call went through.');
  return outcome.reason;
}
