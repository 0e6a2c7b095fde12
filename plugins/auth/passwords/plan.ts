import { dummyHash, isOwn } from './argon2.js';
import { parseHash } from './formats/parse.js';
import { standIn } from './schemes.js';

/*
 * What one sign-in computes. Each hash has a limited cost (formats/format.ts), but a sign-in may need several hashes in
 * several forms of its text. All of them together have this limit, which is applied before anything is computed.
 */

/** Milliseconds of one core's time for a whole sign-in. */
const signInMs = 2_000;

const costOf = (hash: string): number => {
  const parsed = parseHash(hash);
  return parsed.ok ? parsed.cost : 0;
};

const sum = (hashes: readonly string[]): number => hashes.reduce((total, hash) => total + costOf(hash), 0);

/** The hashes that fit into the rest of `ms`, the most costly first. */
function fitting(hashes: readonly string[], ms: number): string[] {
  let left = ms;
  return [...hashes]
    .sort((a, b) => costOf(b) - costOf(a) || (a < b ? -1 : 1))
    .filter((hash) => {
      // Sums of fractions are not exact.
      const fits = costOf(hash) <= left + 0.001;
      if (fits) left -= costOf(hash);
      return fits;
    });
}

interface CheckPlan {
  /** How many of the text's forms are tried, the most likely first. */
  readonly forms: number;
  /** Hashes that belong to nobody, which a wrong password is also checked against, in as many forms. */
  readonly others: readonly string[];
  /** Whether some forms are not tried, for every user of the environment alike. */
  readonly isPartial: boolean;
}

/**
 * Plans the checks of one sign-in, so that a wrong password costs the same for every user and for nobody, and at most
 * about two seconds: the environment's most costly schemes that fit, and as many forms as they leave time for.
 * @param stored the hash to check, which is always checked in one form at least
 * @param schemes the environment's schemes, as hashes that belong to nobody (schemes.ts)
 * @param forms how many forms the text has
 */
export function planChecks(check: {
  readonly stored: string;
  readonly schemes: readonly string[];
  readonly forms: number;
}): CheckPlan {
  const own = isOwn(check.stored) ? dummyHash : standIn(check.stored);
  const schemes = check.schemes.filter((scheme) => parseHash(scheme).ok);
  // Only a sign-in has schemes. If a signed-in user is asked for the password, nothing has to be concealed.
  const planned = schemes.length > 0 ? [dummyHash, ...fitting(schemes, signInMs - costOf(dummyHash))] : [own];
  const total = sum(planned);
  const affordable = (ms: number): number => Math.max(1, Math.min(check.forms, Math.floor(signInMs / ms)));
  const planForms = affordable(total);
  const others = fitting(
    planned.filter((hash) => hash !== own),
    total - costOf(own),
  );
  return {
    // A stored hash that is in no scheme, such as the fourth that was imported, may cost more than all of them.
    forms: Math.min(planForms, affordable(costOf(own))),
    others,
    isPartial: planForms < check.forms,
  };
}
