import { counted } from '#config/counted.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { addressGroup } from '#core/kernel/limits/address-group.js';
import type { LimitWindow } from '#core/kernel/limits/named-limit.js';
import { countAgainstAll, reachedOf, type CountedLimit } from '#core/kernel/limits/count-against.js';
import { settingsOfCall } from '../settings/load.js';
import type { ChallengeRow } from '../tables/challenge.js';

/*
 * Each code may be tried five times, and each try has a chance of one in a million. A person who could start over
 * without limit would eventually find a code, so wrong codes count for a day. They count first by address or number
 * together with the IP address, so that the owner can still sign in elsewhere. Those of one IP address count together
 * as completions do (rateLimits.completePerIp), because it may be an app's server. Right codes are not counted.
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

async function limitsOf(
  context: Asking,
  { id }: Environment,
  { identityKind, identityKey }: Proof,
): Promise<WrongCodeLimit[]> {
  const { clock, caller } = context;
  const { completePerIp } = (await settingsOfCall(context, id)).rateLimits;
  const identifier = `${identityKind ?? ''}:${identityKey ?? ''}`;
  const ip = addressGroup(caller.kind === 'system' ? '' : caller.request.ip);
  const limit = (key: string, { max, windowSeconds }: LimitWindow, whose: string): WrongCodeLimit => ({
    key: `wrong code|${id}|${key}`,
    max,
    windowSeconds,
    now: clock.now(),
    description: `${max} wrong codes in ${counted(windowSeconds, 'second')} ${whose}`,
  });
  const perDay = (max: number): LimitWindow => ({ max, windowSeconds: daySeconds });
  const { here, everywhere } = wrongCodesPerDay;
  return [
    limit(`${identifier}|${ip}`, perDay(here), 'for this address or number from your IP address'),
    limit(`|${ip}`, completePerIp, 'from your IP address'),
    limit(identifier, perDay(everywhere), 'for this address or number'),
  ];
}

/** Refuses to check a code after too many wrong ones. @throws rate_limited */
export async function requireTriesLeft(context: Asking, environment: Environment, proof: Proof): Promise<void> {
  const reached = await reachedOf(context.db, await limitsOf(context, environment, proof));
  if (reached) throw context.fail.rate_limited({ limit: reached.limit.description, seconds: reached.seconds });
}

/** Counts a wrong code. The handler must commit it: return a refusal, do not throw one. */
export async function countWrongCode(context: Asking, environment: Environment, proof: Proof): Promise<void> {
  await countAgainstAll(context.db, await limitsOf(context, environment, proof));
}
