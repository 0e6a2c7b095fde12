import { counted } from '#config/counted.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { addressGroup } from '#core/kernel/limits/address-group.js';
import {
  countAgainstAll,
  firstReached,
  readCounts,
  takeBackCounts,
  type CountedLimit,
  type StoredCounts,
} from '#core/kernel/limits/count-against.js';
import { settingsOfCall } from '../settings/load.js';
import type { ChallengeRow } from '../tables/challenge.js';

/*
 * Each code may be tried five times, and each try has a chance of one in a million. A person who could start over
 * without limit would eventually find a code, so wrong codes count for a day. They count first by address or number
 * together with the IP address, so that the owner can still sign in elsewhere. Those of one IP address count together
 * as completions do (rateLimits.completePerIp), because it may be an app's server. Right codes are not counted.
 *
 * The daily limits are exact: a code counts as wrong before it is checked, and a right one is taken back. Until then,
 * the count is locked, so that of any number of concurrent calls for an address only as many are checked as the limit
 * allows. The limit of an IP address is read before and counted after: with a lock, all users of an app's server would
 * wait for each other. Concurrent calls can exceed it, but not the daily limits.
 */

const daySeconds = 86_400;

/**
 * With 50 wrong codes a day, a person with many IP addresses finds a code of one user within a year in 2 % of cases.
 */
export const wrongCodesPerDay = { here: 10, everywhere: 50 } as const;

type Asking = Pick<Context, 'db' | 'clock' | 'caller' | 'fail' | 'use'>;
type Proof = Pick<ChallengeRow, 'identityKind' | 'identityKey'>;

interface WrongCodeLimit extends CountedLimit {
  description: string;
}

interface WrongCodeLimits {
  /** For the address or number: from this IP address, and from all. */
  daily: readonly WrongCodeLimit[];
  perIp: WrongCodeLimit;
}

const keyOf = ({ id }: Environment, what: string): string => `wrong code|${id}|${what}`;
const ofIp = (ip: string): string => `|${ip}`;
const ipOf = ({ caller }: Pick<Asking, 'caller'>): string =>
  addressGroup(caller.kind === 'system' ? '' : caller.request.ip);

async function limitsOf(context: Asking, environment: Environment, proof: Proof): Promise<WrongCodeLimits> {
  const { max, windowSeconds } = (await settingsOfCall(context, environment.id)).rateLimits.completePerIp;
  const ip = ipOf(context);
  const now = context.clock.now();
  return {
    daily: dailyLimits(environment, proof, [ip], now),
    perIp: {
      key: keyOf(environment, ofIp(ip)),
      max,
      windowSeconds,
      now,
      description: `${max} wrong codes in ${counted(windowSeconds, 'second')} from your IP address`,
    },
  };
}

/** The daily limits of the codes of an address or number: from some IP addresses, and from all. */
export const dailyLimits = (
  environment: Environment,
  { identityKind, identityKey }: Proof,
  ips: readonly string[],
  now: Date,
): readonly WrongCodeLimit[] => {
  const identifier = `${identityKind ?? ''}:${identityKey ?? ''}`;
  const limit = (what: string, max: number, whose: string): WrongCodeLimit => ({
    key: keyOf(environment, what),
    max,
    windowSeconds: daySeconds,
    now,
    description: `${max} wrong codes in ${counted(daySeconds, 'second')} ${whose}`,
  });
  const { here, everywhere } = wrongCodesPerDay;
  return [
    ...ips.map((ip) => limit(`${identifier}|${ip}`, here, 'for this address or number from your IP address')),
    limit(identifier, everywhere, 'for this address or number'),
  ];
};

/** Reads the wrong codes of the caller's IP address, for `countAsWrongCode`. */
export const readWrongCodesOfIp = (context: Asking, environment: Environment): Promise<StoredCounts> =>
  readCounts(context.db, [keyOf(environment, ofIp(ipOf(context)))]);

/**
 * Counts a code as wrong before it is checked, and refuses to check it after too many wrong ones. Afterwards, call
 * `confirmWrongCode` or `takeBackWrongCode`.
 * @throws rate_limited
 */
export async function countAsWrongCode(
  context: Asking,
  environment: Environment,
  proof: Proof,
  wrongCodesOfIp: StoredCounts,
): Promise<void> {
  const { db, fail } = context;
  const { daily, perIp } = await limitsOf(context, environment, proof);
  const reached = firstReached([perIp], wrongCodesOfIp) ?? (await countAgainstAll(db, daily));
  if (reached) throw fail.rate_limited({ limit: reached.limit.description, seconds: reached.seconds });
}

/** Counts a wrong code. The handler must commit it: return a refusal, do not throw one. */
export async function confirmWrongCode(context: Asking, environment: Environment, proof: Proof): Promise<void> {
  const { perIp } = await limitsOf(context, environment, proof);
  await countAgainstAll(context.db, [perIp]);
}

/** The code was right: it does not count. */
export async function takeBackWrongCode(context: Asking, environment: Environment, proof: Proof): Promise<void> {
  await takeBackCounts(context.db, (await limitsOf(context, environment, proof)).daily);
}
