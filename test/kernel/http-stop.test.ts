import { expect } from 'chai';
import { defineOperation } from '#core/kernel/operation.js';
import { boolean, object } from '#core/kernel/schema/schema.js';
import { createGate } from '#test/support/gate.js';
import { usePlatform } from '#test/support/platform.js';
import { openConnection, postHead } from '#test/support/raw-http.js';
import { codeOf, createThings, lab } from './support/lab.js';

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

describe('A server that stops', () => {
  const platform = usePlatform({ plugins: [lab(hold)] });
  before(() => createThings(platform));
  afterEach(() => gate.open());

  it('ends what runs, takes nothing new, and is gone as soon as that is done', async () => {
    const { keys } = await platform.account();
    const node = await platform.secondNode();
    const { address } = node.running;
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${keys.live.secret}`, 'Content-Length': 2 };
    const [busy, late, idle] = [await openConnection(address), await openConnection(address), await openConnection(address)];
    gate.close();
    busy.write(`${postHead('/lab/thing/hold', headers)}{}`);
    await gate.reached(1);
    // A request of which the head has come when the server stops, and the body after.
    late.write(postHead('/lab/thing/hold', headers));
    const began = Date.now();
    const stopped = node.stop();
    await idle.closed();
    late.write('{}');
    expect((await openConnection(address)).socket.destroyed).to.equal(true);
    gate.open();
    const answer = await busy.answer();
    expect([answer.status, answer.headers['connection']]).to.deep.equal([200, 'close']);
    await late.answer();
    await stopped;
    expect(Date.now() - began).to.be.lessThan(10_000);
    expect(await platform.count('lab_thing')).to.be.greaterThan(0);
  });

  it('refuses what a kept-alive connection brings meanwhile, and says that it is not ready', async () => {
    const { keys } = await platform.account();
    const node = await platform.secondNode();
    const connection = await openConnection(node.running.address);
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${keys.live.secret}`, 'Content-Length': 2 };
    gate.close();
    // Three requests in one write: the second and third are read when the first has been answered.
    const ready = 'GET /readyz HTTP/1.1\r\nHost: svc\r\n\r\n';
    connection.write(`${postHead('/lab/thing/hold', headers)}{}${ready}${postHead('/lab/thing/hold', headers)}{}`);
    await gate.reached(1);
    const stopped = node.stop();
    gate.open();
    expect((await connection.answer(1)).status).to.equal(200);
    await stopped;
    const rows = await platform.count('lab_thing');
    await connection.closed();
    expect(await platform.count('lab_thing')).to.equal(rows);
  });
});
