import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Koa from 'koa';
import { expect } from 'chai';
import { signedIn as session } from '#test/auth/support.js';
import { freePort } from '#test/support/free-port.js';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';

interface Answer {
  status: number;
  text: string;
}

/** Answers with the user's id. */
type Framework = (request: Request) => Promise<Answer>;

describe('examples/middleware', function () {
  this.timeout(60_000);
  needProducts('auth');
  // Tokens name the address of their issuer, which the examples compare with SVC_API_URL.
  const platform = usePlatform({ settings: async () => ({ SVC_PORT: String(await freePort()) }) });

  /** Calls a server that runs for one request. */
  async function over(listener: RequestListener, request: Request): Promise<Answer> {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: request.headers });
    const text = await answer.text();
    await new Promise((resolve) => server.close(resolve).closeAllConnections());
    return { status: answer.status, text };
  }

  const frameworks: Record<string, Framework> = {
    async Express(request) {
      const { signedIn, withUser } = await import('../../examples/middleware/express.js');
      // What Express does with a chain of middleware.
      return over((incoming, outgoing) => {
        withUser(incoming, outgoing, (error) => {
          if (error !== undefined) outgoing.writeHead(500).end();
          else
            signedIn(incoming, outgoing, () => outgoing.end(String(Reflect.get(Reflect.get(incoming, 'user'), 'sub'))));
        });
      }, request);
    },
    async Koa(request) {
      const { withUser } = await import('../../examples/middleware/koa.js');
      const app = new Koa().use(withUser).use((context) => {
        const user: unknown = context.state['user'];
        context.status = user === null ? 401 : 200;
        context.body = typeof user === 'object' && user !== null ? String(Reflect.get(user, 'sub')) : 'Sign in first.';
      });
      const handle = app.callback();
      return over((incoming, outgoing) => void handle(incoming, outgoing), request);
    },
    async 'Next.js'(request) {
      const { currentUser } = await import('../../examples/middleware/next.js');
      const user = await currentUser(request);
      return user ? { status: 200, text: user.sub } : { status: 401, text: 'Sign in first.' };
    },
  };

  before(async () => {
    const { live } = await platform.account();
    environment.live = live;
    process.env['SVC_API_URL'] = platform.running.address;
    process.env['SVC_ENVIRONMENT_ID'] = live.id;
  });
  after(() => {
    delete process.env['SVC_API_URL'];
    delete process.env['SVC_ENVIRONMENT_ID'];
  });
  const environment: { live?: Awaited<ReturnType<typeof platform.account>>['live'] } = {};

  it('says that SVC_API_URL is not the address that tokens name, in place of taking everybody for signed out', async () => {
    const { live } = environment;
    if (!live) throw new Error('There is no account.');
    const { accessToken } = await session(platform, live, { email: 'elsewhere@example.com' });
    const elsewhere = platform.running.address.replace('127.0.0.1', 'localhost');
    const program = `
      import { userOf } from './examples/middleware/user-of.ts';
      const said = await userOf('Bearer ${accessToken}', null).catch((error) => error.message);
      console.log(said);`;
    const options = ['--conditions=svc-source', '--import', 'tsx', '--input-type=module', '--eval', program];
    const { stdout } = await promisify(execFile)(process.execPath, options, {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { PATH: process.env['PATH'] ?? '', SVC_API_URL: elsewhere, SVC_ENVIRONMENT_ID: live.id },
    });
    expect(stdout).to.contain(`SVC_API_URL (${elsewhere}) must be the server’s SVC_BASE_URL.`);
  });

  for (const [name, framework] of Object.entries(frameworks))
    it(`knows the user of a request in ${name}, by header or cookie, and nobody without a token that counts`, async () => {
      const { live } = environment;
      if (!live) throw new Error('There is no account.');
      const { accessToken, userId } = await session(platform, live, { email: `${name.toLowerCase()}@example.com` });
      const other = await session(platform, (await platform.account()).live);
      const asked = (headers: Record<string, string>): Promise<Answer> =>
        framework(new Request('http://app.example.com/', { headers }));
      expect(await asked({ Authorization: `Bearer ${accessToken}` })).to.deep.equal({ status: 200, text: userId });
      expect(await asked({ Cookie: `theme=dark; access=${accessToken}` })).to.deep.equal({ status: 200, text: userId });
      const forged = `${accessToken.slice(0, -6)}AAAAAA`;
      for (const token of [forged, 'no-token', other.accessToken])
        expect(await asked({ Authorization: `Bearer ${token}` }), token).to.deep.include({ status: 401 });
      expect(await asked({})).to.deep.include({ status: 401 });
    });
});
