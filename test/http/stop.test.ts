import { connect } from 'node:net';
import { expect } from 'chai';
import { defineOperation } from '#core/kernel/operation.js';
import { boolean, object } from '#core/kernel/schema/schema.js';
import { eventually } from '#test/support/eventually.js';
import { createGate } from '#test/support/gate.js';
import { usePlatform } from '#test/support/platform.js';
import { openConnection, postHead } from '#test/support/raw-http.js';
import { createThings, lab } from '#test/kernel/support/lab.js';

const gate = createGate();
const hold = defineOperation({
  name: 'lab.thing.hold',
  summary: 'Write, then wait at the gate.',
  access: 'secret',
  input: object({}),
  output: object({ done: boolean() }),
  example: { input: {}, output: { done: true } },
  async handle(_, { db }) {
    await gate.pass();
    await db.run("INSERT INTO lab_thing (name) VALUES ('held')");
    return { done: true };
  },
});

const headersOf = (key: string): Record<string, string | number> => ({
  'Content-Type': 'application/json',
  Authorization: `Bearer ${key}`,
  'Content-Length': 2,
});

describe('A server that stops', () => {
  const platform = usePlatform({ plugins: [lab(hold)] });
  before(() => createThings(platform));
  afterEach(() => gate.open());

  it('finishes running calls, accepts no new ones, and exits when they are done', async () => {
    const { keys } = await platform.account();
    const node = await platform.secondNode();
    const { address } = node.running;
    const headers = headersOf(keys.live.secret);
    const [busy, late, idle] = [
      await openConnection(address),
      await openConnection(address),
      await openConnection(address),
    ];
    gate.close();
    busy.write(`${postHead('/lab/thing/hold', headers)}{}`);
    await gate.reached(1);
    // A request of which the head has come when the server stops, and the body after.
    late.write(postHead('/lab/thing/hold', { ...headers, Expect: '100-continue' }));
    await eventually(() => late.socket.bytesRead > 0, 'the server to ask for the body');
    const began = Date.now();
    const stopped = node.stop();
    await idle.closed();
    late.write('{}');
    expect((await openConnection(address)).socket.destroyed).to.equal(true);
    gate.open();
    const answer = await busy.answer();
    expect([answer.status, answer.headers['connection']]).to.deep.equal([200, 'close']);
    expect((await late.answer()).status).to.equal(200);
    await stopped;
    expect(Date.now() - began).to.be.lessThan(10_000);
    expect(await platform.count('lab_thing')).to.equal(2);
  });

  it('runs no call that arrives on an open connection after the stop began', async () => {
    const { keys } = await platform.account();
    const node = await platform.secondNode();
    const post = `${postHead('/lab/thing/hold', headersOf(keys.live.secret))}{}`;
    const rows = await platform.count('lab_thing');
    const busy = await openConnection(node.running.address);
    gate.close();
    busy.write(post);
    await gate.reached(1);
    const stopped = node.stop();
    // It waits for the first call's answer, which closes the connection.
    busy.write(post);
    gate.open();
    const { status, headers } = await busy.answer();
    expect([status, headers['connection']]).to.deep.equal([200, 'close']);
    await busy.closed();
    await stopped;
    expect(await platform.count('lab_thing')).to.equal(rows + 1);
  });

  it('answers requests that have arrived before it stops, on new connections and on idle ones', async () => {
    const node = await platform.secondNode();
    const { hostname, port } = new URL(node.running.address);
    // An answer that needs nothing else, so that a busy machine refuses none.
    const get = 'GET /healthz HTTP/1.1\r\nHost: svc\r\n\r\n';
    const idle = await openConnection(node.running.address);
    idle.write(get);
    expect((await idle.answer()).headers['connection']).to.not.equal('close');

    // The kernel completes connections and receives requests, and the process has not looked yet.
    const queued = Array.from({ length: 100 }, () => {
      const socket = connect(Number(port), hostname);
      const received: Buffer[] = [];
      socket.on('data', (bytes: Buffer) => void received.push(bytes));
      socket.once('connect', () => void socket.write(get));
      return new Promise<string>((resolve) => {
        socket.once('error', (error) => resolve(error.message));
        socket.once('close', () => resolve(Buffer.concat(received).toString()));
      });
    });
    await new Promise<void>((resolve) => process.nextTick(resolve));
    idle.write(get);
    const stopped = node.stop();
    const last = await idle.answer(2);
    expect([last.status, last.headers['connection']]).to.deep.equal([200, 'close']);
    const answers = await Promise.all(queued);
    expect(answers.filter((text) => !/^HTTP\/1\.1 200 .*\r\nConnection: close\r\n/is.test(text))).to.deep.equal([]);
    await stopped;
    expect((await openConnection(node.running.address)).socket.destroyed, 'it accepts no more').to.equal(true);
  });
});
