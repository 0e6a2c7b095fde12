import { expect } from 'chai';
import { eventually } from '#test/support/eventually.js';
import { usePlatform } from '#test/support/platform.js';
import { openConnection, postHead, type RawConnection } from '#test/support/raw-http.js';

const call = `${postHead('/account/get', { 'Content-Type': 'application/json', 'Content-Length': 2 })}{}`;

/** Opens connections that send nothing. */
const openSilent = (address: string, count: number): Promise<RawConnection[]> =>
  Promise.all(Array.from({ length: count }, () => openConnection(address)));

const closedOf = (connections: readonly RawConnection[]): number =>
  connections.filter(({ socket }) => socket.destroyed).length;

describe('A connection', () => {
  const platform = usePlatform();

  it('gets the answers to pipelined requests in their order (RFC 9112 §9.3.2)', async () => {
    const connection = await openConnection(platform.running.address);
    const names = ['/healthz', '/no/such', '/account/get', '/healthz'];
    connection.write(
      names.map((path) => postHead(path, { 'Content-Type': 'application/json', 'Content-Length': 0 })).join(''),
    );
    const answers = await Promise.all(names.map((_, index) => connection.answer(index + 1)));
    expect(answers.map(({ status }) => status)).to.deep.equal([405, 404, 401, 405]);
    connection.socket.destroy();
  });

  it('is closed when it pipelines more requests than it may leave unanswered, and nobody else waits for it', async () => {
    const { svc } = await platform.account();
    const connection = await openConnection(platform.running.address);
    connection.write(call.repeat(5_000));
    await connection.closed();
    expect(await svc.call('account.get', {})).to.have.property('account');
  });

  it('answers requests that arrive one after the other without a bound', async () => {
    const connection = await openConnection(platform.running.address);
    for (let count = 1; count <= 40; count += 1) {
      connection.write(call);
      expect((await connection.answer(count)).status).to.equal(401);
    }
    connection.socket.destroy();
  });
});

describe('Connections of one client', () => {
  const platform = usePlatform();

  it('are at most 512: the oldest without a request makes room for a new one', async () => {
    const silent = await openSilent(platform.running.address, 600);
    await eventually(() => closedOf(silent) >= 88, 'the oldest connections to be closed');
    const { svc } = await platform.account();
    expect(await svc.call('account.get', {}), 'another program at this address').to.have.property('account');
    expect(silent.filter(({ socket }) => !socket.destroyed).length).to.be.within(480, 512);
    for (const { socket } of silent) socket.destroy();
  });
});

describe('Connections of a trusted proxy', () => {
  const platform = usePlatform({ settings: () => ({ SVC_TRUST_PROXY: '127.0.0.1' }) });

  it('have no limit of their own, since they carry the requests of many clients', async () => {
    const silent = await openSilent(platform.running.address, 600);
    const { svc } = await platform.account();
    expect(await svc.call('account.get', {})).to.have.property('account');
    expect(closedOf(silent)).to.equal(0);
    for (const { socket } of silent) socket.destroy();
  });
});
