import type { Context } from '#core/kernel/context.js';
import { addressGroup } from '#core/kernel/limits/address-group.js';
import { countAgainst, reachedOf, type CountedLimit } from '#core/kernel/limits/count-against.js';
import { shift, dayMs } from '#core/runtime/clock.js';
import { idBytes } from '#core/runtime/id.js';
import { factors, type FactorRow } from '../tables/factor.js';
import { openSecret } from './store.js';
import { stepOfCode } from './totp.js';

/**
 * How many wrong TOTP codes a user may enter within a day, across all sign-ins. With a limit of five tries per mfaToken
 * only, a person who has the first factor could start over without limit: with three codes valid at a time, 25 tries a
 * day find one within a year in 3 % of cases.
 */
export const wrongCodesPerDay = 25;
/**
 * How many of them may come from one IP address, so that a person elsewhere who knows the password does not use up the
 * user's own tries.
 */
const wrongCodesPerIp = 10;

/** The user's wrong codes from an IP address. @param ip as `addressGroup` returns it */
export const wrongSecondSteps = (userId: string, ip: string, now: Date): CountedLimit => ({
  key: `wrong second step|${userId}|${ip}`,
  max: wrongCodesPerIp,
  windowSeconds: dayMs / 1000,
  now,
});

/** The user's wrong codes from the caller's IP address. */
const fromHere = (
  { clock, caller }: Pick<Context, 'clock' | 'caller'>,
  { userId }: Pick<FactorRow, 'userId'>,
): CountedLimit =>
  wrongSecondSteps(userId, addressGroup(caller.kind === 'system' ? '' : caller.request.ip), clock.now());

type CodeCheck = { accepted: true } | { accepted: false; lockedUntil: Date | null };

type CheckContext = Pick<Context, 'db' | 'clock' | 'vault' | 'caller'>;

/** The time until which no code of a factor is accepted, because too many were wrong; null if codes are accepted. */
export function lockedUntil(factor: FactorRow, now: Date): Date | null {
  const since = windowOf(factor, now);
  return since !== null && factor.wrongCodes >= wrongCodesPerDay ? shift(since, dayMs) : null;
}

/** The time from which the wrong codes of a factor count; null if none count. */
const windowOf = ({ wrongCodesSince }: FactorRow, now: Date): Date | null =>
  wrongCodesSince !== null && shift(wrongCodesSince, dayMs) > now ? wrongCodesSince : null;

/**
 * Checks a code of the second step, and counts a wrong one against the user. A code is valid once: the last accepted
 * time step only moves forward, by one conditional UPDATE.
 * @param factor locked
 * @returns whether it is accepted; if the user entered too many wrong codes, the time until which none of their codes
 *   is accepted
 */
export async function checkTotpCode(context: CheckContext, factor: FactorRow, code: string): Promise<CodeCheck> {
  const { db, clock, vault } = context;
  const now = clock.now();
  const here = fromHere(context, factor);
  const reached = await reachedOf(db, [here]);
  if (reached) return { accepted: false, lockedUntil: shift(now, reached.seconds * 1000) };
  const since = windowOf(factor, now);
  const wrong = since === null ? 0 : factor.wrongCodes;
  if (since !== null && wrong >= wrongCodesPerDay) return { accepted: false, lockedUntil: shift(since, dayMs) };
  const step = stepOfCode(openSecret(vault, factor), code, now);
  if (step !== null && (await takeStep(db, factor.id, step))) return { accepted: true };
  await countAgainst(db, here);
  await db.update(factors, { id: factor.id }, { wrongCodes: wrong + 1, wrongCodesSince: since ?? now });
  return { accepted: false, lockedUntil: null };
}

/**
 * Moves the last accepted time step forward. @returns false if a code of this step or a later one was accepted before
 */
async function takeStep(db: Context['db'], factorId: string, step: number): Promise<boolean> {
  const { affectedRows } = await db.run(
    'UPDATE auth_factor SET last_step = ? WHERE id = ? AND (last_step IS NULL OR last_step < ?)',
    [step, idBytes(factorId), step],
  );
  return affectedRows === 1;
}
