import { expect } from 'chai';
import { once } from 'node:events';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createHttpClient, type HttpClient, type HttpRequest } from '#core/runtime/http-client/client.js';

describe('HTTP client: responses', () => {
  const servers: Server[] = [];
  const open = new Set<Socket>();
  const clients: HttpClient[] = [];

  const port = async (server: Server): Promise<number> => {
    servers.push(server);
    server.on('connection', (socket) => open.add(socket.on('error', () => undefined)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' ? (address?.port ?? 0) : 0;
  };
  const client = (): HttpClient => {
    const made = createHttpClient({ allow: ['127.0.0.0/8'] });
    clients.push(made);
    return made;
  };
  const get = (url: string, rest: Partial<HttpRequest> = {}): HttpRequest => ({
    method: 'GET',
    url,
    headers: {},
    http: true,
    ...rest,
  });

  afterEach(async () => {
    for (const server of servers.splice(0)) server.close();
    for (const socket of open) socket.destroy();
    open.clear();
    await Promise.all(clients.splice(0).map((made) => made.close()));
  });

  it('takes any number of interim responses before the final one, however they arrive', async () => {
    const interim = 'HTTP/1.1 100 Continue\r\nx-note: a\r\n\r\n';
    const final = 'HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\nHTTP/1.1 100 in body';
    const pieces: readonly (readonly string[])[] = [
      [interim + final],
      [interim, final],
      [interim + interim, interim, final],
      [...interim.split(/(?<=.)/s), final],
      ['HTTP/1.1 102 Processing\r\n\r\n', interim, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', final],
      final.split(/(?<=.)/s),
    ];
    const http = client();
    for (const parts of pieces) {
      const at = await port(
        createTcpServer((socket) => {
          socket.setNoDelay();
          socket.on('error', () => undefined);
          // Each part is sent after the one before it was written, so that it arrives separately.
          socket.on('data', () => {
            const next = ([part, ...rest]: readonly string[]): void => {
              if (part !== undefined) socket.write(part, () => setImmediate(() => next(rest)));
            };
            next(parts);
          });
        }),
      );
      for (const repeat of [1, 2]) {
        const answer = await http.request(get(`http://127.0.0.1:${at}/`));
        const body = answer.ok ? answer.body.toString() : answer.error.message;
        expect(body, `${parts.join('|')} ${repeat}`).to.equal('HTTP/1.1 100 in body');
      }
    }
  });

  it('returns what arrived of a body that does not end, if the caller only stores it', async () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhello';
    const bodies: readonly ((socket: Socket) => void)[] = [
      (socket) => void socket.write(head),
      (socket) => void socket.end(head),
    ];
    for (const respond of bodies) {
      const at = await port(
        createTcpServer((socket) => socket.on('error', () => undefined).on('data', () => respond(socket))),
      );
      const request = get(`http://127.0.0.1:${at}/`, { timeoutMs: 300 });
      expect((await client().request(request)).ok).to.equal(false);
      const answer = await client().request({ ...request, endsAtHead: true });
      expect(answer).to.deep.include({ ok: true, status: 200, truncated: true, body: Buffer.from('hello') });
    }
    const silent = await port(createTcpServer((socket) => socket.on('data', () => undefined)));
    const answer = await client().request(get(`http://127.0.0.1:${silent}/`, { timeoutMs: 300, endsAtHead: true }));
    expect(answer.ok).to.equal(false);
  });
});
