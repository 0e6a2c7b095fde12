import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { startServer, type RunningServer } from '#core/runtime/server.js';
import { eventually } from '#test/support/eventually.js';

/** More than the buffers of both sockets hold. */
const length = 32 * 1024 * 1024;
const unreadMs = 2_000;

describe('The HTTP server, while a client does not read its answer', () => {
  const parts: { server?: RunningServer; client?: Socket } = {};
  const seen = { isOpen: false, isClosed: false };
  before(async () => {
    parts.server = await startServer(
      (request, response) => {
        seen.isOpen = true;
        request.socket.once('close', () => (seen.isClosed = true));
        response.end(Buffer.alloc(length));
      },
      { host: '127.0.0.1', port: 0, unreadMs },
    );
  });
  beforeEach(() => Object.assign(seen, { isOpen: false, isClosed: false }));
  afterEach(() => parts.client?.destroy());
  after(() => parts.server?.stop());

  const request = (): Socket => {
    const { port, hostname } = new URL(parts.server?.address ?? '');
    const client = connect(Number(port), hostname);
    parts.client = client;
    client.write('GET / HTTP/1.1\r\nHost: svc.example.com\r\n\r\n');
    return client;
  };

  it('closes the connection', async () => {
    request().pause();
    await eventually(() => seen.isOpen, 'the request');
    await eventually(() => seen.isClosed, 'the end of the connection');
  });

  it('sends the whole answer to a client that reads slowly', async () => {
    const client = request();
    const startedAt = performance.now();
    let received = 0;
    client.on('data', (bytes: Buffer) => {
      received += bytes.length;
      client.pause();
      // As fast as it must be for the whole answer to take longer than a client may read nothing.
      const late = (received / length) * 2 * unreadMs - (performance.now() - startedAt);
      setTimeout(() => client.resume(), Math.max(0, late));
    });
    await eventually(() => received >= length || seen.isClosed, 'the whole answer', 30_000);
    expect(received).to.be.at.least(length);
    expect(performance.now() - startedAt).to.be.greaterThan(unreadMs);
    expect(seen.isClosed).to.equal(false);
  });
});
