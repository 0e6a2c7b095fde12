import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { openConnection } from '#test/support/raw-http.js';
import { codeOf } from '#test/kernel/support/lab.js';

describe('The Host header', () => {
  const platform = usePlatform();

  /** Sends a GET with this Host. */
  async function get(path: string, host: string): Promise<{ status: number; body: string }> {
    const connection = await openConnection(platform.running.address);
    connection.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    const answer = await connection.answer();
    connection.socket.destroy();
    return answer;
  }

  for (const host of ['[', 'a b', 'svc.example:99999', 'svc.example/x?', '%'])
    it(`is refused with 400 where it is not a host: ${host}`, async () => {
      for (const path of ['/preferences?token=x', '/dev/mailbox', '/healthz', '/account/get', '/v1/nothing']) {
        const { status, body } = await get(path, host);
        expect([path, status, codeOf({ text: body })]).to.deep.equal([path, 400, 'invalid_input']);
      }
    });

  for (const second of ['Host: svc.example', 'host: other.example', 'HOST:'])
    it(`is refused with 400 if it is sent twice: ${second}`, async () => {
      for (const path of ['/preferences?token=x', '/healthz', '/account/get', '/v1/nothing', '/docs']) {
        const { status, body } = await get(path, `svc.example\r\nX-Other: 1\r\n${second}`);
        expect([path, status, codeOf({ text: body })]).to.deep.equal([path, 400, 'invalid_input']);
      }
    });

  it('may be any host name or address', async () => {
    for (const host of ['svc.example', '127.0.0.1:8080', '[::1]:8080', 'xn--e1afmkfd.example'])
      expect((await get('/healthz', host)).status, host).to.equal(200);
  });
});
