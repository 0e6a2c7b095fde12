import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import {
  createHttpClient,
  type HttpClient,
  type HttpClientOptions,
  type HttpRequest,
} from '#core/runtime/http-client/client.js';
import { eventually } from '#test/support/eventually.js';

/** A certificate for receiver.example and 127.0.0.1, for these tests only; valid until 2120. */
const tls = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgnb1QjHdUGmPB39FL
X8ybrvIQLlZRXaQDY2R0yZShWGShRANCAAT7h//+rJLzhbsmHx6u9mwugpvOdNgh
XUX1y5Ny2aWL8HAdMfmd62qWavnu6hBSnrid103BfbcIESDpsRKOrHeh
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBezCCASKgAwIBAgIBATAKBggqhkjOPQQDAjAbMRkwFwYDVQQDDBByZWNlaXZl
ci5leGFtcGxlMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAbMRkw
FwYDVQQDDBByZWNlaXZlci5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD
QgAE+4f//qyS84W7Jh8ervZsLoKbznTYIV1F9cuTctmli/BwHTH5netqlmr57uoQ
Up64nddNwX23CBEg6bESjqx3oaNVMFMwIQYDVR0RBBowGIIQcmVjZWl2ZXIuZXhh
bXBsZYcEfwAAATAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBR+Cb2czNTI38ZW
NI2uL7EwoJfrDTAKBggqhkjOPQQDAgNHADBEAiB2hwYu18cQRJcB3aPhI6e5sIZR
g/HKDzgFgBkObbvl3gIgTxCcd+IAQn1FTCpGwLHMbKAF5dfbISEO7kA2IttdxMM=
-----END CERTIFICATE-----
`,
};

const loopback = ['127.0.0.0/8'];

describe('HTTP client: requests', () => {
  const servers: Server[] = [];
  const open = new Set<Socket>();
  const clients: HttpClient[] = [];

  const port = async (server: Server): Promise<number> => {
    servers.push(server);
    server.on('connection', (socket) => open.add(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return addressOf(server).port;
  };
  const serve = async (listener: RequestListener): Promise<{ url: string }> => {
    return { url: `http://127.0.0.1:${await port(createServer(listener))}/hook?a=1` };
  };
  const client = (options: Partial<HttpClientOptions> = {}): HttpClient => {
    const made = createHttpClient({ allow: loopback, ...options });
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
    for (const server of servers.splice(0)) {
      server.close();
    }
    for (const socket of open) socket.destroy();
    open.clear();
    await Promise.all(clients.splice(0).map((made) => made.close()));
  });

  it('sends method, path, headers and body, and returns status, headers and body', async () => {
    let seen: { request: IncomingMessage; body: Buffer } | undefined;
    const { url } = await serve((request, response) => {
      void buffer(request).then((body) => {
        seen = { request, body };
        response.writeHead(202, { 'X-Answer': 'yes', 'Set-Cookie': ['a=1', 'b=2'] });
        response.end('grüße');
      });
    });
    const body = Buffer.from([0, 1, 2, 254, 255]);
    const answer = await client().request({
      method: 'POST',
      url,
      http: true,
      body,
      headers: { 'Webhook-Id': 'msg_1' },
    });
    if (!answer.ok || seen === undefined) throw new Error('no answer');
    expect(answer.status).to.equal(202);
    expect(answer.headers).to.include({ 'x-answer': 'yes', 'set-cookie': 'a=1, b=2' });
    expect(answer.body.toString()).to.equal('grüße');
    expect(answer.truncated).to.be.false;
    expect(answer.durationMs).to.be.at.least(0);
    expect([seen.request.method, seen.request.url]).to.deep.equal(['POST', '/hook?a=1']);
    expect(seen.request.headers).to.include({ 'webhook-id': 'msg_1', 'content-length': '5', host: new URL(url).host });
    expect(seen.body.equals(body)).to.be.true;
  });

  it('uses TLS, verifies the name, and reuses the session', async () => {
    const at = await port(createTlsServer(tls, (request, response) => response.end(request.headers.host)));
    const trusting = client({ ca: tls.cert, lookup: async () => ['127.0.0.1'] });
    const good = await trusting.request(get(`https://receiver.example:${at}/`, { http: false }));
    expect(good.ok && good.body.toString()).to.equal(`receiver.example:${at}`);
    expect((await trusting.request(get(`https://127.0.0.1:${at}/`))).ok).to.be.true;
    const wrongName = await trusting.request(get(`https://other.example:${at}/`));
    expect(wrongName).to.have.nested.property('error.kind', 'tls');
    const unknown = await client().request(get(`https://127.0.0.1:${at}/`));
    expect(unknown).to.have.nested.property('error.kind', 'tls');
  });

  it('reports http to a TLS port and TLS to an http port as such', async () => {
    const plain = await serve((_, response) => response.end());
    const answer = await client().request(get(plain.url.replace('http:', 'https:')));
    expect(answer).to.have.nested.property('error.kind', 'tls');
    const at = await port(createTcpServer((socket) => socket.end()));
    const cut = await client().request(get(`https://127.0.0.1:${at}/`));
    expect(cut).to.have.nested.property('error.kind', 'tls');
  });

  it('reuses connections, and limits their number for each origin', async () => {
    const sockets = new Set<Socket>();
    let most = 0;
    let running = 0;
    const { url } = await serve((request, response) => {
      sockets.add(request.socket);
      most = Math.max(most, ++running);
      setTimeout(() => {
        running -= 1;
        response.end('ok');
      }, 5);
    });
    const one = client({ connectionsPerOrigin: 4 });
    for (let i = 0; i < 20; i += 1) expect((await one.request(get(url))).ok).to.be.true;
    // Two, because undici reuses a connection only after one turn of the event loop.
    expect(sockets.size).to.be.at.most(2);
    const answers = await Promise.all(Array.from({ length: 100 }, () => one.request(get(url))));
    expect(answers.every((answer) => answer.ok)).to.be.true;
    expect([sockets.size, most]).to.deep.equal([4, 4]);
  });

  it('never follows a redirect', async () => {
    let inward = 0;
    const secret = await serve((_, response) => {
      inward += 1;
      response.end('secret');
    });
    const { url } = await serve((request, response) => {
      response.writeHead(Number(request.headers['x-status']), { location: secret.url }).end();
    });
    for (const status of [301, 302, 303, 307, 308]) {
      const answer = await client().request(get(url, { headers: { 'x-status': String(status) } }));
      expect(answer).to.deep.include({ ok: true, status }).and.to.have.nested.property('headers.location', secret.url);
    }
    expect(inward).to.equal(0);
  });

  it('checks every resolved address when it connects: rebinding, mixed answers, IPv4 inside IPv6', async () => {
    let reached = 0;
    const { url } = await serve((_, response) => {
      reached += 1;
      response.setHeader('connection', 'close').end();
    });
    const named = url.replace('127.0.0.1', 'rebind.example');
    let answers: string[] = ['127.0.0.1'];
    const asked: string[] = [];
    const lookup = async (host: string): Promise<string[]> => {
      asked.push(host);
      return answers;
    };
    const strict = client({ allow: [], lookup });
    const refused = [
      ['127.0.0.1'],
      ['8.8.8.8', '127.0.0.1'],
      ['127.0.0.1', '8.8.8.8'],
      ['::ffff:127.0.0.1'],
      ['::1'],
      ['64:ff9b::7f00:1'],
      ['10.0.0.1'],
      ['169.254.169.254'],
      ['fe80::1%lo'],
      ['not an address'],
      ['localhost'],
    ];
    for (answers of refused) {
      const answer = await strict.request(get(named));
      expect(answer, answers.join()).to.have.nested.property('error.kind', 'url_not_allowed');
      expect(JSON.stringify(answer)).not.to.match(/127\.0|10\.0|169\.254/);
    }
    // The name now resolves to a private address: the next connection is refused.
    const turning = client({ lookup });
    answers = ['127.0.0.1'];
    expect((await turning.request(get(named))).ok).to.be.true;
    answers = ['10.0.0.1'];
    expect(await turning.request(get(named))).to.have.nested.property('error.kind', 'url_not_allowed');
    expect(reached).to.equal(1);
    expect(new Set(asked)).to.deep.equal(new Set(['rebind.example']));
  });

  it('resolves localhost to loopback without DNS, where loopback is allowed', async () => {
    const { url } = await serve((_, response) => response.end('here'));
    const lookup = (): Promise<string[]> => Promise.reject(new Error('asked'));
    const answer = await client({ lookup }).request(get(url.replace('127.0.0.1', 'localhost')));
    expect(answer.ok && answer.body.toString()).to.equal('here');
    expect((await client({ allow: ['10.0.0.0/8'] }).request(get(url))).ok).to.be.false;
  });

  it('distinguishes DNS errors, refused and broken connections and invalid responses, and never throws', async () => {
    const dead = createTcpServer();
    const free = await port(dead);
    dead.close();
    const refused = await client().request(get(`http://127.0.0.1:${free}/`));
    expect(refused).to.have.nested.property('error.kind', 'connect');
    const lookups = [async () => [], () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))];
    for (const lookup of lookups) {
      const answer = await client({ lookup }).request(get('https://nowhere.example/'));
      expect(answer).to.have.nested.property('error.kind', 'dns');
    }
    const replies = [
      '',
      'garbage\r\n\r\n',
      'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf',
      `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(99_999)}\r\n\r\n`,
      'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
      'HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
    ];
    for (const reply of replies) {
      const at = await port(createTcpServer((socket) => void socket.on('error', () => undefined).end(reply)));
      const answer = await client().request(get(`http://127.0.0.1:${at}/`));
      expect(answer, reply.slice(0, 60)).to.have.nested.property('error.kind', 'protocol');
    }
  });

  it('refuses headers that could split a request, and keeps working', async () => {
    const { url } = await serve((_, response) => response.end('ok'));
    const one = client({ connectionsPerOrigin: 2 });
    const bad = [
      { 'x-a': 'b\r\nx: y' },
      { 'x-a': 'b\0' },
      { 'x-a': '✓' },
      { 'x a': 'b' },
      { '': 'b' },
      { Host: 'x' },
      { 'Content-Length': '1' },
    ];
    for (const headers of [
      ...bad,
      { 'transfer-encoding': 'chunked' },
      { connection: 'close' },
      { expect: '100-continue' },
    ]) {
      const answer = await one.request(get(url, { headers }));
      expect(answer, JSON.stringify(headers)).to.have.nested.property('error.kind', 'protocol');
    }
    expect((await one.request(get(url))).ok).to.be.true;
  });

  /** Without a deadline of its own the request would not end before the test does. */
  const endsInTime = async (request: Promise<unknown>, timeoutMs: number): Promise<void> => {
    const started = performance.now();
    expect(await request).to.have.nested.property('error.kind', 'timeout');
    expect(performance.now() - started).to.be.at.least(timeoutMs - 5);
  };

  it('applies its deadline to DNS, handshake, headers and body', async () => {
    const silent = await port(createTcpServer(() => undefined));
    const timeoutMs = 120;
    const never = client({ lookup: () => new Promise(() => undefined) });
    await endsInTime(never.request(get('https://slow.example/', { timeoutMs })), timeoutMs);
    await endsInTime(client().request(get(`https://127.0.0.1:${silent}/`, { timeoutMs })), timeoutMs);
    await endsInTime(client().request(get(`http://127.0.0.1:${silent}/`, { timeoutMs })), timeoutMs);
    const closed = { dripping: false };
    const dripping = await serve((_, response) => {
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => {
        clearInterval(drip);
        closed.dripping = true;
      });
    });
    await endsInTime(client().request(get(dripping.url, { timeoutMs })), timeoutMs);
    await eventually(() => closed.dripping, 'the end of the connection');
    const hints = await serve((_, response) => {
      const hint = setInterval(() => response.writeEarlyHints({ link: '</a>; rel=preload' }), 20);
      response.on('close', () => clearInterval(hint));
    });
    await endsInTime(client().request(get(hints.url, { timeoutMs })), timeoutMs);
  });

  it('sends nothing after the time by which the caller may start it', async () => {
    const seen: string[] = [];
    const { url } = await serve((request, response) => {
      seen.push(String(request.headers['x-n']));
      response.end('ok');
    });
    const one = client();
    const numbered = (n: number, startBy: number) => one.request(get(url, { startBy, headers: { 'x-n': String(n) } }));
    expect(await numbered(1, performance.now() - 1)).to.have.nested.property('error.kind', 'connect');
    expect((await numbered(3, performance.now() + 10_000)).ok).to.be.true;
    expect(await numbered(4, performance.now() - 1), 'with an open connection').to.have.property('ok', false);
    expect((await numbered(5, performance.now() + 10_000)).ok).to.be.true;
    expect(seen).to.deep.equal(['3', '5']);
  });

  it('times out requests that wait for a connection, and sends none of them later', async () => {
    let silent = true;
    const seen: string[] = [];
    const { url } = await serve((request, response) => {
      seen.push(String(request.headers['x-n']));
      if (!silent) response.end('ok');
    });
    const one = client({ connectionsPerOrigin: 2 });
    const numbered = (n: number, timeoutMs: number) =>
      one.request(get(url, { timeoutMs, headers: { 'x-n': String(n) } }));
    const served = [1, 2].map((n) => numbered(n, 3_000));
    await eventually(() => seen.length === 2, 'both connections to be in use');
    const waiting = await Promise.all([3, 4, 5].map((n) => numbered(n, 100)));
    const late = [...waiting, ...(await Promise.all(served))];
    expect(late.map((answer) => !answer.ok && answer.error.kind)).to.deep.equal(Array(5).fill('timeout'));
    silent = false;
    expect((await numbered(6, 10_000)).ok).to.be.true;
    expect(seen).to.deep.equal(['1', '2', '6']);
  });

  it('reads 16 KiB of a body of 5 GB and closes the connection', async () => {
    let written = 0;
    const block = Buffer.alloc(64 * 1024, 'x');
    let closed: Promise<unknown> | undefined;
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': String(5 * 2 ** 30) });
      closed = once(response, 'close');
      const pour = (): void => {
        while (!response.destroyed && response.write(block)) written += block.length;
        written += block.length;
      };
      response.on('drain', pour);
      pour();
    });
    const answer = await client().request(get(url));
    if (!answer.ok) throw new Error(answer.error.message);
    expect([answer.status, answer.body.length, answer.truncated]).to.deep.equal([200, 16 * 1024, true]);
    await closed;
    expect(written).to.be.below(32 * 2 ** 20);
  });

  it('reports a body of exactly the limit as complete', async () => {
    const { url } = await serve((request, response) => response.end('x'.repeat(Number(request.headers['x-size']))));
    const one = client();
    for (const [size, length, truncated] of [
      [99, 99, false],
      [100, 100, false],
      [101, 100, true],
      [0, 0, false],
    ] as const) {
      const answer = await one.request(get(url, { maxResponseBytes: 100, headers: { 'x-size': String(size) } }));
      expect(answer.ok && [answer.body.length, answer.truncated]).to.deep.equal([length, truncated]);
    }
  });

  it('finishes requests in flight when it closes, and accepts no more', async () => {
    const { url } = await serve((_, response) => void setTimeout(() => response.end('ok'), 60));
    const one = client({ connectionsPerOrigin: 1 });
    const answers = [one.request(get(url)), one.request(get(url))];
    await one.close();
    expect((await Promise.all(answers)).every((answer) => answer.ok)).to.be.true;
    expect(await one.request(get(url))).to.have.nested.property('error.kind', 'connect');
  });

  it('has all connections free after many failing receivers', async () => {
    let n = 0;
    let calm = false;
    const { url } = await serve((request, response) => {
      n += 1;
      if (calm || n % 5 === 0) response.end('ok');
      else if (n % 5 === 1) request.socket.destroy();
      else if (n % 5 === 2) response.writeHead(200).write('x'.repeat(999));
      else if (n % 5 === 3) response.writeHead(200, { 'content-length': '10' }).end();
    });
    const one = client({
      connectionsPerOrigin: 3,
      lookup: async () => (Math.random() < 0.3 ? ['10.0.0.1'] : ['127.0.0.1']),
    });
    const named = url.replace('127.0.0.1', 'storm.example');
    const storm = Array.from({ length: 200 }, (_, i) =>
      one.request(get(i % 2 === 0 ? url : named, { timeoutMs: 30 + (i % 50) * 10, maxResponseBytes: 100 })),
    );
    await Promise.all(storm);
    calm = true;
    const after = await Promise.all(Array.from({ length: 9 }, () => one.request(get(url, { timeoutMs: 10_000 }))));
    expect(after.every((answer) => answer.ok)).to.be.true;
  });
});

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port.');
  return address;
}
