import type { TenantCaller } from '#core/kernel/caller/caller.js';
import type { Context, ReadContext } from '#core/kernel/context.js';
import { addressGroup } from '#core/kernel/limits/address-group.js';
import { countKey } from '#core/kernel/limits/check.js';
import { firstReached, forgetCounts, readCounts, type CountedLimit } from '#core/kernel/limits/count-against.js';
import type { NamedLimit } from '#core/kernel/limits/named-limit.js';
import { dateTime, nullable, object, oneOf, text, type ValueOf } from '#core/kernel/schema/schema.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { shift } from '#core/runtime/clock.js';
import { idBytes } from '#core/runtime/id.js';
import { dailyLimits } from '../challenges/wrong-codes.js';
import { lockedUntil, wrongSecondSteps } from '../factors/check-code.js';
import { findActiveFactor } from '../factors/store.js';
import { identitiesOf } from '../factors/user-details.js';
import { factors } from '../tables/factor.js';
import { passwordEverywhere, startEverywhere, startPerIdentifier, startPerMailbox } from './limits.js';

/*
 * The limits that stop the sign-ins of one user. Limits are stored under hashes, also of IP addresses, so only those of
 * known IP addresses can be found: of the user's newest sessions, and of the call.
 */

/** How many IP addresses are looked at: those that the call names, then those of the newest sessions. */
export const mostIps = 20;
/** How many addresses and numbers of a user are looked at. */
const mostIdentities = 20;

export const SignInLimit = object({
  kind: oneOf(
    ['start', 'password', 'code', 'second_factor'],
    'What is refused: start (codes, links and passwords), password, code (entering a code) or second_factor (codes of an authenticator app).',
  ),
  identity: nullable(text('The address or number; null for second_factor, which counts for the user.')),
  ip: nullable(text('The IP address or IPv6 network; null for a limit of all IP addresses together.')),
  resetsAt: dateTime('When the limit ends by itself.'),
});

type SignInLimitValue = ValueOf<typeof SignInLimit>;

interface UserLimit extends CountedLimit, Pick<SignInLimitValue, 'kind' | 'identity' | 'ip'> {}

type Looking = ReadContext & { readonly caller: TenantCaller };

/** The IP addresses of the call and of the user's newest sessions, grouped as limits count them. */
async function ipsOf(db: ReadSession, userId: string, given: readonly string[]): Promise<string[]> {
  const rows = await db.rows<{ ip: Buffer }>(
    'SELECT ip FROM auth_session WHERE user_id = ? AND impersonator_id IS NULL ORDER BY id DESC LIMIT ?',
    [idBytes(userId), mostIps],
  );
  return [...new Set([...given, ...rows.map(({ ip }) => ip.toString())].map(addressGroup))].slice(0, mostIps);
}

/** The limits that count the sign-ins of a user. */
async function limitsOf(context: Looking, userId: string, given: readonly string[]): Promise<UserLimit[]> {
  const { db, caller, clock } = context;
  const [identities, ips] = await Promise.all([identitiesOf(db, userId), ipsOf(db, userId, given)]);
  const now = clock.now();
  const here = ips.map((ip) => ({ ip, calling: { ...caller, request: { ...caller.request, ip } } }));
  const limits: UserLimit[] = ips.map((ip) => ({
    ...wrongSecondSteps(userId, ip, now),
    kind: 'second_factor',
    identity: null,
    ip,
  }));
  for (const { kind, value, identityKey } of identities
    .filter((each) => each.kind !== 'oauth')
    .slice(0, mostIdentities)) {
    const input = kind === 'email' ? { email: value } : { phone: value };
    const add = async (
      limit: NamedLimit<typeof input>,
      refused: UserLimit['kind'],
      calling: TenantCaller,
      ip: string | null,
    ): Promise<void> => {
      const by = limit.by({ caller: calling, input });
      const { max, windowSeconds } = (await limit.settings?.(context)) ?? limit;
      if (by !== null)
        limits.push({ key: countKey(limit, by), max, windowSeconds, now, kind: refused, identity: value, ip });
    };
    await add(startEverywhere, 'start', caller, null);
    await add(passwordEverywhere, 'password', caller, null);
    for (const { ip, calling } of here) {
      await add(startPerIdentifier, 'start', calling, ip);
      await add(startPerMailbox, 'start', calling, ip);
    }
    const daily = dailyLimits(caller.environment, { identityKind: kind, identityKey }, ips, now);
    limits.push(
      ...daily.map((each, at): UserLimit => ({ ...each, kind: 'code', identity: value, ip: ips[at] ?? null })),
    );
  }
  return limits;
}

/**
 * The limits that refuse sign-ins of the user now. Those of an IP address that the user has no session from, and that
 * is not given, are not found.
 */
export async function reachedLimits(context: Looking, userId: string): Promise<SignInLimitValue[]> {
  const [limits, factor] = await Promise.all([limitsOf(context, userId, []), findActiveFactor(context.db, userId)]);
  const now = context.clock.now();
  const locked = factor && lockedUntil(factor, now);
  const counts = await readCounts(
    context.db,
    limits.map(({ key }) => key),
  );
  const reached = limits.flatMap((limit): SignInLimitValue[] => {
    const { kind, identity, ip } = limit;
    const found = firstReached([limit], counts);
    return found ? [{ kind, identity, ip, resetsAt: shift(now, found.seconds * 1000).toISOString() }] : [];
  });
  return locked
    ? [{ kind: 'second_factor', identity: null, ip: null, resetsAt: locked.toISOString() }, ...reached]
    : reached;
}

/**
 * Lifts the limits that count the sign-ins of a user, whether they are reached or not.
 * @param ips IP addresses that the person signs in from, in addition to those of their sessions
 * @returns how many had counted something
 */
export async function liftLimits(
  context: Pick<Context, 'db'> & Looking,
  userId: string,
  ips: readonly string[],
): Promise<number> {
  const { db } = context;
  const [limits, factor] = await Promise.all([limitsOf(context, userId, ips), findActiveFactor(db, userId)]);
  const lifted = await forgetCounts(
    db,
    limits.map(({ key }) => key),
  );
  if (!factor || factor.wrongCodes === 0) return lifted;
  await db.update(factors, { id: factor.id }, { wrongCodes: 0, wrongCodesSince: null });
  return lifted + 1;
}
