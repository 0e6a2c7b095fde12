import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';

interface Received {
  status: number | undefined;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As it was sent, not decoded. */
  bytes: Buffer;
}

const decoded = ({ headers, bytes }: Received): string => {
  const coding = headers['content-encoding'];
  return (coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
};

describe('Large answers', () => {
  const platform = usePlatform();
  /** Sends exactly these headers: fetch adds Accept-Encoding and decodes by itself. */
  const receive = (
    path: string,
    headers: Record<string, string>,
    { method = 'GET', body = '' } = {},
  ): Promise<Received> =>
    new Promise((resolve, reject) => {
      const sent = request(`${platform.running.address}${path}`, { method, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => {
            resolve({ status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(chunks) });
          })
          .on('error', reject);
      });
      sent.on('error', reject).end(body);
    });

  for (const path of ['/openapi.json', '/docs/reference'])
    it(`compress ${path} with br or gzip, as the client accepts it`, async () => {
      const plain = await receive(path, {});
      expect(plain.headers).to.not.have.property('content-encoding');
      expect(plain.headers).to.include({ vary: 'Accept-Encoding', 'content-length': String(plain.bytes.length) });
      for (const [accepted, coding] of [
        ['gzip, deflate, br, zstd', 'br'],
        ['gzip', 'gzip'],
        ['br;q=0, *', 'gzip'],
        ['identity', undefined],
        ['br;q=0, gzip;q=0', undefined],
      ] as const) {
        const answer = await receive(path, { 'Accept-Encoding': accepted });
        expect(answer.headers['content-encoding'], accepted).to.equal(coding);
        expect(answer.headers['content-length'], accepted).to.equal(String(answer.bytes.length));
        expect(decoded(answer) === plain.bytes.toString(), accepted).to.equal(true);
        if (coding) expect(answer.bytes.length).to.be.lessThan(plain.bytes.length / 3);
      }
      const head = await receive(path, { 'Accept-Encoding': 'br' }, { method: 'HEAD' });
      expect([head.headers['content-encoding'], head.bytes.length]).to.deep.equal(['br', 0]);
    });

  it('have a weak entity tag when compressed, which is answered 304', async () => {
    const { headers } = await receive('/openapi.json', { 'Accept-Encoding': 'br' });
    const tag = String(headers['etag']);
    expect(tag).to.equal(`W/${String((await receive('/openapi.json', {})).headers['etag'])}`);
    const repeat = await receive('/openapi.json', { 'Accept-Encoding': 'br', 'If-None-Match': tag });
    expect([repeat.status, repeat.bytes.length]).to.deep.equal([304, 0]);
  });

  itNeeding('email')('of operations are compressed; small ones are not', async () => {
    const { svc, keys } = await platform.account();
    for (let n = 0; n < 20; n += 1) await svc.call('account.project.create', { name: `Project ${n}` });
    const call = (path: string, accepted: string): Promise<Received> =>
      receive(
        path,
        {
          'Accept-Encoding': accepted,
          'Content-Type': 'application/json',
          Authorization: `Bearer ${keys.live.secret}`,
        },
        { method: 'POST', body: '{}' },
      );
    const [plain, br] = [await call('/account/activity/list', 'identity'), await call('/account/activity/list', 'br')];
    expect(br.headers['content-encoding']).to.equal('br');
    expect(decoded(br)).to.equal(plain.bytes.toString());
    const small = await call('/email/sender/get', 'br');
    expect(small.headers).to.not.have.any.keys('content-encoding', 'vary');
  });
});
