import type { TenantCaller } from '#core/kernel/caller/caller.js';
import { addressGroup } from '#core/kernel/limits/address-group.js';
import { dummyHash, isOwn } from './argon2.js';
import { parseHash } from './formats/parse.js';
import { runHash, withHashTime, type HashAsker } from './hash-pool.js';
import { normalizePassword, passwordForms } from './normalize.js';
import { planChecks } from './plan.js';

/** The caller whose account takes the turn for a password, while its client is waiting. */
type Asker = Pick<TenantCaller, 'environment' | 'request'> & Partial<Pick<TenantCaller, 'publishable'>>;

const askerOf = ({ environment, request, publishable }: Asker): HashAsker => ({
  accountId: environment.accountId,
  // The test environments of an account have one share together.
  environmentId: environment.kind === 'live' ? environment.id : 'test',
  stranger: publishable === true ? addressGroup(request.ip) : undefined,
  isWanted: request.isWaiting,
});

const parsed = (stored: string) => {
  const hash = parseHash(stored);
  if (!hash.ok) throw new Error(`A stored password hash ${hash.problem}.`);
  return hash;
};

const ownCost = parsed(dummyHash).cost;

async function hashText(asker: HashAsker, text: string): Promise<string> {
  const reply = await runHash(asker, { hash: text }, ownCost);
  if (!('hash' in reply)) throw new Error('A password was checked instead of hashed.');
  return reply.hash;
}

async function fits(asker: HashAsker, text: string, stored: string): Promise<boolean> {
  const reply = await runHash(asker, { verify: text, stored }, parsed(stored).cost);
  if (!('ok' in reply)) throw new Error('A password was hashed instead of checked.');
  return reply.ok;
}

/**
 * Hashes a new password with argon2id. Call it in `prepare`: it takes 10 ms and waits for its turn in a queue.
 * @returns a PHC string
 * @throws unavailable if too many passwords are waiting
 */
export function hashPassword(caller: Asker, password: string): Promise<string> {
  const asker = askerOf(caller);
  return withHashTime(asker, [ownCost], () => hashText(asker, normalizePassword(password)));
}

/** Whether a password is right. */
type CheckedPassword =
  /** `rehash`: what to store instead, if the stored hash is another system's and depends on the whole password. */
  | { readonly ok: true; readonly rehash?: string }
  /**
   * `partly`: the hashes are so costly that not every form of the text was tried (plan.ts). The password may be right.
   * It depends on the text and on the environment, never on the user.
   */
  | { readonly ok: false; readonly partly?: true };

/**
 * Checks a password. Call it in `prepare`: it takes 10 ms (two seconds at most, if an environment has hashes of
 * other systems: plan.ts) and waits for its turn in a queue.
 * @param stored the stored hash; null without a user or a password, which takes as long as a wrong password
 * @param schemes the environment's schemes (schemes.ts): a wrong password costs the same for all users
 * @throws unavailable if too many passwords are waiting
 */
export async function verifyPassword(
  caller: Asker,
  stored: string | null,
  password: string,
  schemes: readonly string[] = [],
): Promise<CheckedPassword> {
  const asker = askerOf(caller);
  const checked = stored ?? dummyHash;
  const forms = passwordForms(password, isOwn(checked));
  const plan = planChecks({ stored: checked, schemes, forms: forms.length });
  const tried = forms.slice(0, plan.forms);
  // svc's own hash comes first, for everybody: it is quick, so that only wrong passwords and those of imported users
  // wait behind other costly ones. Refusals meanwhile do not depend on the user either.
  const all = [checked, ...plan.others].sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
  const run = async (hashes: readonly string[]): Promise<CheckedPassword | undefined> => {
    const costs = hashes.flatMap((hash) => tried.map(() => parsed(hash).cost));
    return withHashTime(asker, costs, async () => {
      for (const hash of hashes)
        for (const form of tried)
          if ((await fits(asker, form, hash)) && hash === stored) return accepted(asker, stored, password, form);
      return undefined;
    });
  };
  const own = await run(all.filter(isOwn));
  if (own) return own;
  const costly = await run(
    all.filter((hash) => !isOwn(hash)).sort((a, b) => Number(b === stored) - Number(a === stored)),
  );
  return costly ?? (plan.isPartial ? { ok: false, partly: true } : { ok: false });
}

/** @param form the text that fits */
async function accepted(asker: HashAsker, stored: string, password: string, form: string): Promise<CheckedPassword> {
  const normal = normalizePassword(password);
  // If the old hash did not read the whole text, a new hash of the text would lock out a person whose password ends
  // differently.
  if ((isOwn(stored) && form === normal) || parsed(stored).covers?.(form) === false) return { ok: true };
  return { ok: true, rehash: await hashText(asker, normal) };
}
