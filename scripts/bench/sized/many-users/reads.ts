import type { Session } from '#core/runtime/database/session.js';
import { newId } from '#core/runtime/id.js';
import { codeDigest } from '#plugins/auth/challenges/secrets.js';
import { emailIdentity } from '#plugins/auth/identities/normalize.js';
import { challenges } from '#plugins/auth/tables/challenge.js';
import { isRecord } from '../../json.js';
import type { Place } from '../own-platform.js';

export interface Tokens {
  accessToken: string;
  refreshToken: string;
}

/** A user who has signed in. */
interface Somebody {
  userId: string;
  email: string;
  tokens: Tokens;
}

const password = 'correct horse battery staple';
const code = '271828';

/** What is measured: the call, and what must exist before it. */
interface Measured {
  name: string;
  before?: () => Promise<string>;
  call(prepared: string): Promise<unknown>;
}

function textAt(value: unknown, ...path: string[]): string {
  const found = path.reduce<unknown>((inner, name) => (isRecord(inner) ? inner[name] : undefined), value);
  if (typeof found !== 'string') throw new Error(`The reply has no ${path.join('.')}: ${JSON.stringify(value)}`);
  return found;
}

const tokensIn = (reply: unknown): Tokens => ({
  accessToken: textAt(reply, 'tokens', 'accessToken'),
  refreshToken: textAt(reply, 'tokens', 'refreshToken'),
});

const signIn = async ({ call }: Place, email: string): Promise<Tokens> =>
  tokensIn(await call('app', 'auth.password.signin', { email, password }));

/** A new user who signs in with a password. */
async function somebody(place: Place, name: string): Promise<Somebody> {
  const email = `${name}@example.com`;
  const facts = { email, emailVerified: true, password, name: `Ada ${name}` };
  const created = await place.call('server', 'auth.user.create', facts);
  return { userId: textAt(created, 'user', 'id'), email, tokens: await signIn(place, email) };
}

/** A new user with an organization, from whom the others are copied. */
export async function modelUser(place: Place): Promise<Somebody & { organizationId: string }> {
  const user = await somebody(place, 'model');
  const { accessToken } = user.tokens;
  const made = await place.call('app', 'auth.org.create', { accessToken, name: 'Analytical Engines' });
  return { ...user, organizationId: textAt(made, 'organization', 'id') };
}

/** A challenge whose code is known. @returns its id */
async function startedCode({ services, environment }: Place, email: string): Promise<string> {
  const id = newId();
  const now = services.clock.now();
  const { kind, key, value } = emailIdentity(email);
  await services.database.insert(challenges, {
    ...{ id, environmentId: environment.id, purpose: 'signin_code', userId: null, webauthnChallenge: null },
    ...{ identityKind: kind, identityKey: key, identityValue: value, methods: [], attempts: 0, redirectTo: null },
    ...{
      handoff: false,
      locale: null,
      createdAt: now,
      expiresAt: new Date(now.getTime() + 600_000),
      completedAt: null,
    },
    secretDigest: codeDigest(services.vault, id, code),
  });
  return id;
}

/** A member of the organization with many members. */
interface Member {
  organizationId: string;
  accessToken: string;
}

/** The calls that are measured, each for a separate user: what they write does not change what the next one reads. */
function measuredCalls(place: Place, { userId, email, tokens }: Somebody, member: Member): Measured[] {
  const { call } = place;
  const { accessToken } = tokens;
  const current = { ...tokens };
  return [
    { name: 'auth.session.verify', call: () => call('server', 'auth.session.verify', { accessToken }) },
    {
      name: 'auth.session.refresh',
      async call() {
        Object.assign(
          current,
          tokensIn(await call('app', 'auth.session.refresh', { refreshToken: current.refreshToken })),
        );
      },
    },
    { name: 'auth.me.get', call: () => call('app', 'auth.me.get', { accessToken }) },
    { name: 'auth.user.get by id', call: () => call('server', 'auth.user.get', { userId }) },
    { name: 'auth.user.get by address', call: () => call('server', 'auth.user.get', { email }) },
    { name: 'auth.user.list', call: () => call('server', 'auth.user.list', {}) },
    {
      name: 'auth.user.list by the start of an address',
      call: () => call('server', 'auth.user.list', { query: email.slice(0, -'.com'.length) }),
    },
    {
      name: 'auth.user.list by a word of a name',
      call: () => call('server', 'auth.user.list', { query: email.slice(0, -'@example.com'.length) }),
    },
    { name: 'auth.session.list', call: () => call('server', 'auth.session.list', { userId }) },
    {
      name: 'auth.org.member.list',
      call: () => call('app', 'auth.org.member.list', { ...member }),
    },
    { name: 'auth.org.mine', call: () => call('app', 'auth.org.mine', { accessToken: member.accessToken }) },
    {
      name: 'auth.signin.start',
      call: () => call('app', 'auth.signin.start', { email }),
    },
    {
      name: 'auth.signin.verify',
      before: () => startedCode(place, email),
      call: (challengeId) => call('app', 'auth.signin.verify', { challengeId, code }),
    },
    { name: 'auth.password.signin', call: () => call('app', 'auth.password.signin', { email, password }) },
    {
      name: 'auth.password.signin, unknown address',
      call: () =>
        call('app', 'auth.password.signin', { email: `no-${email}`, password }).catch((error: unknown) =>
          String(error),
        ),
    },
  ];
}

const readsSoFar = async (db: Session): Promise<number> =>
  (await db.rows<{ Value: string }>("SHOW GLOBAL STATUS LIKE 'Handler_read%'")).reduce(
    (sum, { Value }) => sum + Number(Value),
    0,
  );

/** Additional rows that a slow machine may read: a call that comes late reserves tokens of its key's limit again. */
export const sharedReads = 3;

/** Other work of the server only adds to the counters, so the minimum of a few runs is the call's own. */
const runs = 5;

/**
 * How many rows each call reads, by the server's counters.
 * @param name of a new user, used only for these measurements
 */
export async function rowsRead(
  place: Place,
  name: string,
  model: Somebody & { organizationId: string },
): Promise<Map<string, number>> {
  const { database } = place.services;
  const { organizationId, email } = model;
  const member = { organizationId, accessToken: (await signIn(place, email)).accessToken };
  const least = async (work: () => Promise<() => Promise<unknown>>): Promise<number> => {
    let found = Number.POSITIVE_INFINITY;
    for (let run = 0; run < runs; run += 1) {
      const call = await work();
      const before = await readsSoFar(database);
      await call();
      found = Math.min(found, (await readsSoFar(database)) - before);
    }
    return found;
  };
  const own = await least(() => Promise.resolve(() => Promise.resolve()));
  const counts = new Map<string, number>();
  for (const { name: what, before, call } of measuredCalls(place, await somebody(place, name), member)) {
    const reads = await least(async () => {
      const prepared = (await before?.()) ?? '';
      return () => call(prepared);
    });
    counts.set(what, reads - own);
  }
  return counts;
}
