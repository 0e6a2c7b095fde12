import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { signedIn } from '#test/auth/support.js';
import { usePlatform } from '#test/support/platform.js';
import { asApp } from './support.js';

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex').toUpperCase();

/** A service with the range interface of Have I Been Pwned. */
interface RangeService {
  url: string;
  asked: { path: string; headers: IncomingHttpHeaders }[];
  /** Passwords that it knows, and how often they were seen. */
  known: Map<string, number>;
  /** `silent` never answers. */
  mood: 'well' | 'failing' | 'silent';
  close(): Promise<void>;
}

async function startRangeService(): Promise<RangeService> {
  const server: Server = createServer((request, response) => {
    const path = request.url ?? '';
    service.asked.push({ path, headers: request.headers });
    if (service.mood === 'silent') return;
    if (service.mood === 'failing') return void response.writeHead(503).end();
    const prefix = path.slice(path.lastIndexOf('/') + 1);
    const lines = [...service.known]
      .map(([text, count]) => `${sha1(text)}:${count}`)
      .filter((line) => line.startsWith(prefix))
      .map((line) => line.slice(5));
    response.end(['0018A45C4D1DEF81644B54AB7F969B88D65:10', ...lines, `${'A'.repeat(35)}:0`].join('\r\n'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const service: RangeService = {
    url: `http://127.0.0.1:${port}/range/`,
    asked: [],
    known: new Map(),
    mood: 'well',
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return service;
}

describe('Breached passwords', () => {
  let service: RangeService;
  const ends: (() => Promise<void>)[] = [];
  after(() => Promise.all(ends.map((end) => end())));
  const platform = usePlatform({
    settings: async () => {
      service = await startRangeService();
      ends.push(service.close);
      return { SVC_BREACHED_PASSWORDS_URL: service.url };
    },
  });

  const set = async (password: string): Promise<string> => {
    const account = await platform.account();
    const { accessToken } = await signedIn(platform, account.live);
    const { status, text } = await asApp(platform, account).raw(
      '/auth/password/set',
      JSON.stringify({ accessToken, password }),
    );
    return status === 200 ? 'set' : (/"code":"(\w+)"/.exec(text)?.[1] ?? text);
  };
  beforeEach(() => Object.assign(service, { asked: [], known: new Map(), mood: 'well' }));

  it('are refused: common ones by the list that ships, in any case and in full width, without asking anybody', async () => {
    for (const password of ['password1', 'QWERTYUIOP', '1q2w3e4r5t', 'ｐａｓｓｗｏｒｄ'])
      expect(await set(password), password).to.equal('password_breached');
    expect(service.asked).to.deep.equal([]);
  });

  it('are refused where the service knows them, which learns five digits of the SHA-1 and no more', async () => {
    const password = 'seen in a breach, 2019';
    service.known.set(password, 3);
    expect(await set(password)).to.equal('password_breached');
    const [asked] = service.asked;
    expect(asked?.path).to.equal(`/range/${sha1(password).slice(0, 5)}`);
    expect(asked?.headers).to.include({ 'add-padding': 'true' });
    expect(JSON.stringify(service.asked)).not.to.contain(sha1(password).slice(5, 15));
  });

  it('are not those that merely pad the service’s answer', async () => {
    const password = 'never seen in any breach';
    service.known.set(password, 0);
    expect(await set(password)).to.equal('set');
  });

  it('are found by the list alone while the service fails or is silent, and the log says so', async () => {
    const password = 'another one from a breach';
    service.known.set(password, 9);
    for (const mood of ['failing', 'silent'] as const) {
      service.mood = mood;
      platform.logLines.length = 0;
      expect(await set(password), mood).to.equal('set');
      expect(platform.logLines.join('\n')).to.contain('only the built-in list was checked');
      expect(await set('password1')).to.equal('password_breached');
    }
  });

  it('may be set where the environment does not check them', async () => {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', { password: { checkBreached: false } });
    const { accessToken } = await signedIn(platform, account.live);
    await asApp(platform, account).call('auth.password.set', { accessToken, password: 'password1' });
    expect(service.asked).to.deep.equal([]);
  });
});
