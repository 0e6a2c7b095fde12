import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface HttpFake {
  readonly url: string;
  close(): Promise<void>;
}

/** A request as a fake sees it. */
export interface FakeRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
  /** The fields of a form. */
  form: URLSearchParams;
}

/**
 * Starts a server on loopback that ends with the process. @param answer may be asynchronous; if it throws, the answer
 * is 500
 */
export async function startHttpFake(
  answer: (request: FakeRequest, response: ServerResponse) => void | Promise<void>,
): Promise<HttpFake> {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk);
    const url = new URL(request.url ?? '/', 'http://fake');
    const body = Buffer.concat(chunks).toString('utf8');
    await answer(
      {
        method: request.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body,
        form: new URLSearchParams(body),
      },
      response,
    );
  };
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const sendJson = (response: ServerResponse, body: unknown, status = 200): void =>
  void response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));

/** A response whose content nobody gets: the connection is cut. */
export function discarding(response: ServerResponse): ServerResponse {
  response.writeHead = () => response;
  response.end = () => response;
  return response;
}

/** Sends only the first half of what is written to a response: JSON that does not parse. */
export function halving(response: ServerResponse): ServerResponse {
  const { end } = response;
  response.end = (body?: unknown) => {
    Object.assign(response, { end });
    const text = typeof body === 'string' ? body : '';
    return response.end(text.slice(0, text.length / 2));
  };
  return response;
}

/** Holds back what is written to a response. @returns a function that sends it */
export function holding(response: ServerResponse): () => void {
  const { writeHead, end } = response;
  const held = { status: 200, body: '' };
  response.writeHead = (status: number) => {
    held.status = status;
    return response;
  };
  response.end = (body?: unknown) => {
    if (typeof body === 'string') held.body = body;
    return response;
  };
  return () => {
    Object.assign(response, { writeHead, end });
    response.writeHead(held.status, { 'content-type': 'application/json' }).end(held.body);
  };
}
