import { expect } from 'chai';
import { Svc } from 'svc-sdk';
import {
  createSession,
  createTokenVerifier,
  TokenRejected,
  type SessionTokens,
  type TokenStore,
} from 'svc-sdk/session';
import { signedIn } from '#test/auth/support.js';
import { hours, minutes } from '#test/support/clock.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { apiAt } from '#test/support/api.js';
import { needProducts } from '#test/support/products.js';

/** A store that several tabs share, and a lock as Web Locks give one. */
function sharedStore(): { store: TokenStore; lock: <T>(work: () => Promise<T>) => Promise<T> } {
  let kept: SessionTokens | null = null;
  let last: Promise<unknown> = Promise.resolve();
  return {
    store: { read: () => kept, write: (tokens) => void (kept = tokens) },
    lock: (work) => {
      const next = last.then(work);
      last = next.catch(() => undefined);
      return next;
    },
  };
}

describe('svc-sdk/session', () => {
  needProducts('auth');
  const platform = usePlatform();
  const app = ({ keys }: TestAccount) =>
    apiAt(
      () => platform.running.address,
      () => keys.live.publishable,
    );
  const now = (): number => platform.clock.now().getTime();

  it('refreshes once, however many requests and tabs need it at the same time', async () => {
    const account = await platform.account();
    const tokens = await signedIn(platform, account.live);
    const shared = sharedStore();
    let refreshes = 0;
    const tab = () =>
      createSession({
        ...shared,
        now,
        refresh: (refreshToken) => {
          refreshes += 1;
          return app(account).call('auth.session.refresh', { refreshToken });
        },
      });
    const tabs = [tab(), tab(), tab()];
    await tabs[0]?.start(tokens);
    expect(await tabs[1]?.accessToken()).to.equal(tokens.accessToken);
    expect(refreshes).to.equal(0);
    platform.clock.advance(minutes(15));
    const given = await Promise.all(tabs.flatMap((each) => Array.from({ length: 5 }, () => each.accessToken())));
    expect(refreshes).to.equal(1);
    expect(new Set(given).size).to.equal(1);
    const { valid } = await account.svc.call('auth.session.verify', { accessToken: given[0] ?? '' });
    expect(valid).to.equal(true);
  });

  it('forgets a session that has ended, and keeps one while the server is away', async () => {
    const account = await platform.account();
    const tokens = await signedIn(platform, account.live);
    const shared = sharedStore();
    let away = true;
    const session = createSession({
      ...shared,
      now,
      refresh: async (refreshToken) => {
        if (away) throw new Error('The server is away.');
        return new Svc({
          baseUrl: platform.running.address,
          apiKey: account.keys.live.publishable,
        }).auth.session.refresh({
          refreshToken,
        });
      },
    });
    await session.start(tokens);
    platform.clock.advance(minutes(15));
    const failed = await session.accessToken().catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(Error);
    away = false;
    await account.svc.call('auth.session.revoke', { sessionId: tokens.sessionId });
    expect(await session.accessToken()).to.equal(null);
    expect(await session.end()).to.equal(null);
  });

  it('stays signed in if the reply to a refresh is lost and the next page opens an hour later', async () => {
    const account = await platform.account();
    const tokens = await signedIn(platform, account.live);
    const shared = sharedStore();
    const svc = new Svc({ baseUrl: platform.running.address, apiKey: account.keys.live.publishable });
    let isClosed = true;
    const page = () =>
      createSession({
        ...shared,
        now,
        refresh: async (refreshToken, options) => {
          const renewed = await svc.auth.session.refresh({ refreshToken }, options);
          if (isClosed) throw new Error('The page was closed.');
          return renewed;
        },
      });
    await page().start(tokens);
    platform.clock.advance(minutes(15));
    expect(
      await page()
        .accessToken()
        .catch((error: unknown) => error),
    ).to.be.instanceOf(Error);
    isClosed = false;
    platform.clock.advance(hours(1));
    // As after 30 seconds by the database's clock.
    await platform.running.services.database.run('DELETE FROM svc_idempotency');
    const accessToken = (await page().accessToken()) ?? '';
    expect((await account.svc.call('auth.session.verify', { accessToken })).valid).to.equal(true);
    platform.clock.advance(minutes(15));
    expect(await page().accessToken()).to.be.a('string');
  });

  it('repeats a lost refresh in a session that was kept before keys were', async () => {
    const account = await platform.account();
    const shared = sharedStore();
    const { accessToken, accessTokenExpiresAt, refreshToken, refreshTokenExpiresAt } = await signedIn(
      platform,
      account.live,
    );
    await shared.store.write({ accessToken, accessTokenExpiresAt, refreshToken, refreshTokenExpiresAt });
    let isLost = true;
    const keys: string[] = [];
    const page = () =>
      createSession({
        ...shared,
        now,
        refresh: async (token, { idempotencyKey }) => {
          keys.push(idempotencyKey);
          const renewed = await app(account).call('auth.session.refresh', { refreshToken: token }, { idempotencyKey });
          if (isLost) throw new Error('The connection was lost.');
          return renewed;
        },
      });
    platform.clock.advance(minutes(15));
    await page()
      .accessToken()
      .catch(() => undefined);
    isLost = false;
    platform.clock.advance(hours(1));
    await platform.running.services.database.run('DELETE FROM svc_idempotency');
    expect(await page().accessToken()).to.be.a('string');
    platform.clock.advance(minutes(15));
    expect(await page().accessToken()).to.be.a('string');
    // One key for both attempts, and another for the next refresh.
    expect(keys[1]).to.equal(keys[0]);
    expect(keys[2]).to.not.equal(keys[0]);
  });

  it('refreshes now if a fresh token is wanted, after a refresh that is under way', async () => {
    const account = await platform.account();
    const shared = sharedStore();
    const given: string[] = [];
    let isAway = false;
    const session = createSession({
      ...shared,
      now,
      refresh: async (refreshToken, options) => {
        if (isAway) throw new Error('The server is away.');
        const renewed = await app(account).call('auth.session.refresh', { refreshToken }, options);
        given.push(renewed.tokens.accessToken);
        return renewed;
      },
    });
    await session.start(await signedIn(platform, account.live));
    const first = await session.accessToken({ fresh: true });
    expect(given).to.deep.equal([first]);
    expect(await session.accessToken()).to.equal(first);
    platform.clock.advance(minutes(15));
    const due = session.accessToken();
    // It does not wait for the refresh under way, whose token may be from before the change.
    const fresh = await Promise.all([session.accessToken({ fresh: true }), session.accessToken({ fresh: true })]);
    expect(given).to.deep.equal([first, await due, fresh[0]]);
    expect(fresh[0]).to.equal(fresh[1]);
    isAway = true;
    expect(await session.accessToken()).to.equal(fresh[0]);
    expect(String(await session.accessToken({ fresh: true }).catch(String))).to.contain('The server is away.');
  });

  it('stays signed out if somebody signs out during a refresh', async () => {
    const account = await platform.account();
    const shared = sharedStore();
    const session = createSession({
      ...shared,
      now,
      refresh: async (refreshToken) => {
        const renewed = await app(account).call('auth.session.refresh', { refreshToken });
        await session.end();
        return renewed;
      },
    });
    await session.start(await signedIn(platform, account.live));
    platform.clock.advance(minutes(15));
    expect(await session.accessToken()).to.equal(null);
    expect(await shared.store.read()).to.equal(null);
  });

  it('keeps the expiry of a token that is kept again, and of one that is not new', async () => {
    const account = await platform.account();
    const shared = sharedStore();
    const tokens = await signedIn(platform, account.live);
    const session = createSession({ ...shared, now, refresh: () => Promise.reject(new Error('The server is away.')) });
    platform.clock.advance(minutes(10));
    await session.start(tokens);
    await session.replace((kept) => Promise.resolve({ ...kept }));
    expect((await shared.store.read())?.accessTokenExpiresAt).to.equal(tokens.accessTokenExpiresAt);
  });

  it('accepts tokens with the keys that it knows while the server is away, for an hour', async () => {
    const account = await platform.account();
    const { accessToken } = await signedIn(platform, account.live);
    const time = { passed: 0 };
    let isAway = false;
    const verify = createTokenVerifier({
      baseUrl: platform.running.services.deployment.baseUrl,
      environmentId: account.live.id,
      now: () => now() + time.passed,
      toleranceMs: hours(3),
      fetch: (url) =>
        isAway
          ? Promise.reject(new Error('The server is away.'))
          : fetch(url.replace(/^https?:\/\/[^/]+/, platform.running.address)),
    });
    await verify(accessToken);
    isAway = true;
    time.passed = minutes(59);
    expect(await verify(accessToken)).to.have.property('sub');
    time.passed = minutes(61);
    expect(await verify(accessToken).catch(String)).to.contain('The server is away.');
  });

  it('lets no token with a known key wait for a server that hangs', async () => {
    const account = await platform.account();
    const { accessToken } = await signedIn(platform, account.live);
    let passed = 0;
    let answers = true;
    let requests = 0;
    const verify = createTokenVerifier({
      baseUrl: platform.running.services.deployment.baseUrl,
      environmentId: account.live.id,
      now: () => now() + passed,
      toleranceMs: hours(3),
      fetch: (url) => {
        requests += 1;
        if (!answers) return new Promise(() => undefined);
        return fetch(url.replace(/^https?:\/\/[^/]+/, platform.running.address));
      },
    });
    await verify(accessToken);
    answers = false;
    for (const after of [minutes(6), minutes(7), minutes(59)]) {
      passed = after;
      expect(await verify(accessToken)).to.have.property('sub');
    }
    // All share one request.
    expect(requests).to.equal(2);
  });

  for (const [wrong, ahead] of [
    ['ahead', hours(2)],
    ['behind', -hours(2)],
  ] as const)
    it(`refreshes once per lifetime on a machine whose clock is ${wrong}`, async () => {
      const account = await platform.account();
      let refreshes = 0;
      const session = createSession({
        ...sharedStore(),
        now: () => now() + ahead,
        refresh: (refreshToken) => {
          refreshes += 1;
          return app(account).call('auth.session.refresh', { refreshToken });
        },
      });
      await session.start(await signedIn(platform, account.live), now() + ahead);
      for (const round of [0, 1, 2]) {
        await session.accessToken();
        expect(await session.accessToken()).to.be.a('string');
        expect(refreshes).to.equal(round);
        platform.clock.advance(minutes(15));
      }
    });

  it('returns the present token while the server is away, until it has expired', async () => {
    const account = await platform.account();
    const tokens = await signedIn(platform, account.live);
    const session = createSession({
      ...sharedStore(),
      now,
      spareMs: minutes(2),
      refresh: () => Promise.reject(new Error('The server is away.')),
    });
    await session.start(tokens);
    platform.clock.advance(minutes(14));
    expect(await session.accessToken()).to.equal(tokens.accessToken);
    platform.clock.advance(minutes(1));
    expect(await session.accessToken().catch((error: unknown) => error)).to.be.instanceOf(Error);
  });

  it('checks access tokens offline with the published keys, each kind of key', async () => {
    const account = await platform.account();
    let fetches = 0;
    const verifier = (options: { environmentId?: string; baseUrl?: string } = {}) =>
      createTokenVerifier({
        baseUrl: platform.running.services.deployment.baseUrl,
        environmentId: account.live.id,
        now,
        fetch: (url) => {
          fetches += 1;
          return fetch(url.replace(/^https?:\/\/[^/]+/, platform.running.address));
        },
        ...options,
      });
    const verify = verifier();
    for (const algorithm of ['ES256', 'RS256', 'EdDSA'] as const) {
      await account.svc.call('auth.signingKey.rotate', { algorithm });
      platform.clock.advance(minutes(6));
      const { accessToken, userId, sessionId } = await signedIn(platform, account.live);
      expect(await verify(accessToken)).to.include({ sub: userId, sid: sessionId, aud: account.live.id });
    }
    expect(fetches).to.equal(3);
    const { accessToken } = await signedIn(platform, account.live);
    const reasonOf = async (check: (token: string) => Promise<unknown>, token: string): Promise<unknown> =>
      check(token).then(
        () => 'accepted',
        (error: unknown) => (error instanceof TokenRejected ? error.reason : error),
      );
    const [head = '', body = '', signature = ''] = accessToken.split('.');
    const other = await signedIn(platform, account.test);
    const forged = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(body, 'base64url').toString()), sub: 'eve' }),
    );
    expect(await reasonOf(verify, `${head}.${forged.toString('base64url')}.${signature}`)).to.equal('wrong_signature');
    expect(await reasonOf(verify, other.accessToken)).to.equal('unknown_key');
    expect(await reasonOf(verify, 'x.y.z')).to.equal('malformed');
    const none = Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(head, 'base64url').toString()), alg: 'none' }));
    expect(await reasonOf(verify, `${none.toString('base64url')}.${body}.`)).to.equal('wrong_signature');
    platform.clock.advance(minutes(16));
    expect(await reasonOf(verify, accessToken)).to.equal('expired');
  });
});
