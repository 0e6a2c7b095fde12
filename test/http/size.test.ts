import { expect } from 'chai';
import { defineOperation } from '#core/kernel/operation.js';
import { count, object, text } from '#core/kernel/schema/schema.js';
import { eventually } from '#test/support/eventually.js';
import { usePlatform } from '#test/support/platform.js';
import { openConnection, postHead } from '#test/support/raw-http.js';
import { codeOf, lab, partOf } from '#test/kernel/support/lab.js';

const measure = (name: string, access: 'public' | 'secret', bodyLimit?: number): ReturnType<typeof defineOperation> =>
  defineOperation({
    name,
    summary: 'Measure a text.',
    access,
    permission: null,
    impact: { read: true },
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    input: object({ text: text() }),
    output: object({ length: count() }),
    example: { input: { text: 'a' }, output: { length: 1 } },
    handle: async ({ text: given }) => ({ length: given.length }),
  });

const mebibyte = 1024 * 1024;
const bodyOf = (bytes: number): string => `{"text":"${'a'.repeat(bytes - 11)}"}`;
const json = { 'Content-Type': 'application/json' };

describe('The size of a request', () => {
  const platform = usePlatform({
    plugins: [
      lab(
        measure('lab.size.usual', 'secret'),
        measure('lab.size.public', 'public'),
        measure('lab.size.small', 'public', 64),
      ),
    ],
    boot: { arrivalMs: 400 },
  });

  let key = '';
  before(async () => (key = (await platform.account()).keys.live.secret));
  const head = (path: string, headers: Record<string, string | number>): string =>
    postHead(path, { ...json, Authorization: `Bearer ${key}`, ...headers });

  it('may be 1 MiB to the byte, 64 KiB where anybody may call, or what the operation says', async () => {
    for (const [path, limit] of [
      ['/lab/size/usual', mebibyte],
      ['/lab/size/public', 64 * 1024],
      ['/lab/size/small', 64],
    ] as const) {
      expect((await platform.api.raw(path, bodyOf(limit), { key })).status).to.equal(200);
      const refused = await platform.api.raw(path, bodyOf(limit + 1), { key });
      expect([refused.status, codeOf(refused)]).to.deep.equal([413, 'body_too_large']);
      expect(partOf(refused.text, 'error')['message']).to.contain(`${limit} bytes`);
    }
  });

  it('is refused to a client that writes all of it before it reads, and the connection serves on', async () => {
    const connection = await openConnection(platform.running.address);
    const body = bodyOf(2 * mebibyte);
    connection.socket.pause();
    connection.write(head('/lab/size/usual', { 'Content-Length': body.length }));
    const written = new Promise((resolve) => connection.socket.write(body, resolve));
    await written;
    connection.socket.resume();
    const refused = await connection.answer();
    expect([refused.status, codeOf({ text: refused.body })]).to.deep.equal([413, 'body_too_large']);
    connection.write(`${head('/lab/size/usual', { 'Content-Length': 12 })}{"text":"a"}`);
    expect((await connection.answer(2)).status).to.equal(200);
    connection.socket.destroy();
  });

  it('is refused before the body arrives when Content-Length is given', async () => {
    const connection = await openConnection(platform.running.address);
    connection.write(head('/lab/size/usual', { 'Content-Length': 100 * mebibyte }));
    expect((await connection.answer()).status).to.equal(413);
    connection.socket.destroy();
  });

  it('is refused as soon as a chunked body passes the limit, though it never ends', async () => {
    const connection = await openConnection(platform.running.address);
    connection.write(head('/lab/size/small', { 'Transfer-Encoding': 'chunked' }));
    for (let chunk = 0; chunk < 5; chunk += 1) connection.write(`10\r\n${'a'.repeat(16)}\r\n`);
    const refused = await connection.answer();
    expect([refused.status, codeOf({ text: refused.body })]).to.deep.equal([413, 'body_too_large']);
    connection.socket.destroy();
  });

  it('does not count the overhead of chunks', async () => {
    const connection = await openConnection(platform.running.address);
    connection.write(head('/lab/size/small', { 'Transfer-Encoding': 'chunked' }));
    for (const letter of bodyOf(64)) connection.write(`1\r\n${letter}\r\n`);
    connection.write('0\r\n\r\n');
    expect((await connection.answer()).status).to.equal(200);
    connection.socket.destroy();
  });

  it('does not matter when the body does not arrive in time: 408, and the connection is closed', async () => {
    const connection = await openConnection(platform.running.address);
    connection.write(`${head('/lab/size/usual', { 'Content-Length': 50 })}{"text":`);
    const refused = await connection.answer();
    expect([refused.status, codeOf({ text: refused.body })]).to.deep.equal([408, 'request_timeout']);
    expect(refused.headers['connection']).to.equal('close');
    await connection.closed();
  });

  it('is refused with 408 for a client that sends a byte now and then', async () => {
    const connection = await openConnection(platform.running.address);
    connection.write(head('/lab/size/usual', { 'Content-Length': 1_000 }));
    const drip = setInterval(() => connection.write(' '), 50);
    const refused = await connection.answer();
    clearInterval(drip);
    expect(refused.status).to.equal(408);
    await connection.closed();
  });

  it('is not an internal error when the client disconnects half-way', async () => {
    const before = platform.logLines.length;
    const connection = await openConnection(platform.running.address);
    connection.write(`${head('/lab/size/usual', { 'Content-Length': 50 })}{"text":`);
    await eventually(async () => {
      connection.socket.destroy();
      return platform.logLines.slice(before).some((line) => line.includes('request_timeout'));
    }, 'the end of the call in the log');
    const lines = platform.logLines.slice(before).join('');
    expect(lines).to.not.contain('"level":"error"');
    expect(lines).to.not.contain('unavailable');
  });
});
