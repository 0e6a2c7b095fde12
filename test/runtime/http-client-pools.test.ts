import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { createHttpClient, type HttpClient, type HttpRequest } from '#core/runtime/http-client/client.js';
import { eventually } from '#test/support/eventually.js';

describe('HTTP client: pools', () => {
  const open = new Set<Socket>();
  let server: Server | undefined;
  let client: HttpClient | undefined;
  afterEach(async () => {
    open.forEach((socket) => socket.destroy());
    open.clear();
    server?.close();
    await client?.close();
  });

  const serve = async (listener: RequestListener): Promise<string> => {
    server = createServer(listener).listen(0, '127.0.0.1');
    server.on('connection', (socket) => open.add(socket));
    await once(server, 'listening');
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
  };
  const get = (url: string, rest: Partial<HttpRequest>): HttpRequest => ({
    method: 'GET',
    url,
    headers: {},
    http: true,
    ...rest,
  });

  it('share connections within a pool alone: a server that hangs for one delays no other', async () => {
    const url = await serve((request, response) => {
      if (request.headers['x-hang'] === undefined) response.end('ok');
    });
    client = createHttpClient({ allow: ['127.0.0.0/8'], connectionsPerOrigin: 1 });
    const hanging = client.request(get(url, { pool: 'a', headers: { 'x-hang': '1' }, timeoutMs: 3_000 }));
    expect((await client.request(get(url, { pool: 'b' }))).ok).to.equal(true);
    const waiting = await client.request(get(url, { pool: 'a', timeoutMs: 50 }));
    expect(waiting).to.have.nested.property('error.kind', 'timeout');
    expect(await hanging).to.have.nested.property('error.kind', 'timeout');
  });

  it('are closed when they are not used any more, and opened again', async () => {
    const url = await serve((_, response) => response.end('ok'));
    client = createHttpClient({ allow: ['127.0.0.0/8'], idlePoolMs: 50 });
    await client.request(get(url, { pool: 'a' }));
    const [socket] = open;
    await eventually(() => socket?.destroyed === true, 'the end of the connection', 3_000);
    expect((await client.request(get(url, { pool: 'a' }))).ok).to.equal(true);
  });
});
