import { counted } from '#config/counted.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { addressGroup } from '#core/kernel/limits/address-group.js';
import type { LimitWindow } from '#core/kernel/limits/named-limit.js';
import { countAgainstAll, reachedOf, type CountedLimit } from '#core/kernel/limits/count-against.js';
import { settingsOfCall } from '../settings/load.js';
import type { ChallengeRow } from '../tables/challenge.js';

/*
 * Each code may be tried five times, and each try finds it once in a million. Whoever starts over for ever would find some code in the end, so
 * wrong ones count for a day: by address or number and IP address first, which leaves its owner free to go on elsewhere. Those of one IP address count
 * together as completions do (rateLimits.completePerIp): it may be an app's server. Right ones count nowhere.
 */

const daySeconds = 86_400;

/** At 50 wrong codes a day somebody who has many IP addresses finds a code of one person within a year in 2 % of cases. */
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

/** Refuses to look at a code after too many wrong ones. @throws rate_limited */
export async function requireTriesLeft(context: Asking, environment: Environment, proof: Proof): Promise<void> {
  const reached = await reachedOf(context.db, await limitsOf(context, environment, proof));
  if (reached) throw context.fail.rate_limited({ limit: reached.limit.description, seconds: reached.seconds });
}

/** Counts a wrong code. The handler must commit it: return a refusal, do not throw one. */
export async function countWrongCode(context: Asking, environment: Environment, proof: Proof): Promise<void> {
  await countAgainstAll(context.db, await limitsOf(context, environment, proof));
}
