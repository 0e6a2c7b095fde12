import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import { strangerHolder } from '#core/kernel/limits/holder-of.js';
import { holder } from '#core/runtime/holder.js';
import { takeTurn } from '#core/runtime/take-turn.js';
import { createBodyReader } from '#core/surfaces/http/body.js';
import { createBodyBudget } from '#core/surfaces/http/body-budget.js';
import { eventually } from '#test/support/eventually.js';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { openConnection, postHead, type RawConnection } from '#test/support/raw-http.js';
import { codeOf } from '#test/kernel/support/lab.js';

const mebibyte = 1024 * 1024;

describe('The request bodies that are held at once', () => {
  needProducts('audience', 'email');
  const platform = usePlatform();

  it('are 64 MiB per address: a further large one is refused, a small one is not, and what ends gives its part back', async function () {
    this.timeout(30_000);
    const { svc, keys } = await platform.account();
    const length = 32 * mebibyte;
    const almost = Buffer.alloc(length - 1, ' ');
    const holding = async (): Promise<RawConnection> => {
      const connection = await openConnection(platform.running.address);
      const head = { 'Content-Type': 'application/json', 'Content-Length': length };
      connection.write(postHead('/audience/contact/import', { ...head, Authorization: `Bearer ${keys.live.secret}` }));
      await new Promise((written) => connection.socket.write(almost, written));
      return connection;
    };
    const large = JSON.stringify({ contacts: [{ firstName: 'x'.repeat(mebibyte) }], dryRun: true });
    const codeOfLarge = async (): Promise<unknown> => {
      const answer = await svc.raw('/audience/contact/import', large);
      return answer.status === 200 ? 200 : codeOf(answer);
    };
    const held = [await holding(), await holding()];
    await eventually(async () => {
      // A held body that was still arriving during the last call may have been the one that was refused.
      for (const [index, { socket }] of held.entries()) if (socket.bytesRead > 0) held[index] = await holding();
      return (await codeOfLarge()) === 'rate_limited';
    }, 'the budget to be used up');
    const refused = await svc.raw('/audience/contact/import', large);
    expect(refused.status).to.equal(429);
    expect(refused.text).to.contain('64 MiB of request bodies at once per caller');
    // While both bodies are still pending, other calls are answered.
    await svc.call('email.message.list', {});
    held[0]?.socket.destroy();
    await eventually(async () => (await codeOfLarge()) === 200, 'the budget to be free again');
    held[1]?.socket.destroy();
    await platform.settled();
  });

  it('need little more memory than their bytes if they arrive one byte at a time', async () => {
    const incoming = new IncomingMessage(new Socket());
    const request = { requestId: '', ip: '127.0.0.1', userAgent: null, origin: null };
    const length = 1_000_000;
    const read = createBodyReader()(incoming, { limit: length, request }, async ({ length: bytes }) => bytes);
    const before = process.memoryUsage().heapUsed;
    for (let sent = 0; sent < length; sent += 1) {
      incoming.push(Buffer.from('a'));
      if (sent % 10_000 === 0) await takeTurn(strangerHolder('127.0.0.1'));
    }
    // As objects of their own they take more than 100 MiB.
    expect(process.memoryUsage().heapUsed - before).to.be.lessThan(64 * mebibyte);
    incoming.push(null);
    expect(await read).to.equal(length);
  });

  it('are 192 MiB in one process', () => {
    const budget = createBodyBudget();
    const shares = ['a', 'b', 'c'].map((account) => {
      const share = budget(holder(account, 'live', 'key'), account);
      share.add(64 * mebibyte);
      return share;
    });
    const another = budget(holder('d', 'live', 'key'), 'd');
    another.add(64 * 1024);
    expect(() => another.add(mebibyte)).to.throw('192 MiB of request bodies at once per server process');
    shares[0]?.close();
    another.add(mebibyte);
  });

  it('are 96 MiB of one account, 80 of one environment, of all its test environments together, and 64 of one key', () => {
    const budget = createBodyBudget();
    const test = (id: string, key: string): ReturnType<typeof budget> => budget(holder('a', 'test', id, key), key);
    test('one', 'first').add(48 * mebibyte);
    test('two', 'second').add(32 * mebibyte);
    expect(() => test('three', 'third').add(mebibyte)).to.throw('80 MiB of request bodies at once per environment');
    const live = budget(holder('a', 'live', 'fourth'), 'fourth');
    live.add(16 * mebibyte);
    expect(() => live.add(mebibyte)).to.throw('96 MiB of request bodies at once per account');
    const other = budget(holder('b', 'live', 'fifth'), 'fifth');
    other.add(64 * mebibyte);
    expect(() => other.add(mebibyte)).to.throw('64 MiB of request bodies at once per caller');
    budget(holder('c', 'live', 'sixth'), 'sixth').add(mebibyte);
  });

  it('are 96 MiB of all addresses without a key, and 64 of one', () => {
    const budget = createBodyBudget();
    const first = budget(strangerHolder('192.0.2.1'), '192.0.2.1');
    first.add(64 * mebibyte);
    expect(() => first.add(mebibyte)).to.throw('64 MiB of request bodies at once per IP address');
    const second = budget(strangerHolder('192.0.2.2'), '192.0.2.2');
    second.add(32 * mebibyte);
    expect(() => second.add(mebibyte)).to.throw(
      '96 MiB of request bodies at once per account, or of all callers without',
    );
  });
});
