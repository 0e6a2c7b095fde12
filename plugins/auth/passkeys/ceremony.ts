import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { shift } from '#core/runtime/clock.js';
import { newId } from '#core/runtime/id.js';
import { minutes } from '../tables/lifetimes.js';
import { completeChallenge, findChallenge } from '../challenges/tries.js';
import { noTarget } from '../challenges/return-target.js';
import { challenges, type ChallengeRow } from '../tables/challenge.js';
import { newWebAuthnChallenge } from './options.js';

type CeremonyPurpose = 'passkey_signin' | 'passkey_register';

/** The operation that starts each ceremony, for errors. */
const startOf = {
  passkey_signin: 'auth.passkey.signin.start',
  passkey_register: 'auth.passkey.register.start',
} as const;

/** Stores what an authenticator must sign. @param userId the signed-in user who registers; null for a sign-in */
export async function startCeremony(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  environment: Environment,
  purpose: CeremonyPurpose,
  userId: string | null,
): Promise<{ id: string; challenge: string }> {
  const now = clock.now();
  const id = newId();
  const challenge = newWebAuthnChallenge();
  await db.defer(
    challenges.insertRows([
      {
        id,
        environmentId: environment.id,
        purpose,
        userId,
        identityKind: null,
        identityKey: null,
        identityValue: null,
        secretDigest: null,
        webauthnChallenge: challenge,
        methods: [],
        openedBy: null,
        attempts: 0,
        ...noTarget,
        locale: null,
        createdAt: now,
        expiresAt: shift(now, minutes.passkey * 60_000),
        completedAt: null,
      },
    ]),
  );
  return { id, challenge };
}

type TakingContext = Context<never, 'challenge_expired' | 'challenge_used'>;

/**
 * Takes a ceremony once: the challenge is used up, no matter what happens to the answer. The handler must commit a
 * rejected answer (return a refusal, not throw one).
 * @param userId the user who started it; another user's ceremony is answered like one that does not exist
 * @throws not_found, challenge_expired, challenge_used
 */
export async function takeCeremony(
  context: TakingContext,
  environment: Environment,
  { id, purpose, userId = null }: { id: string; purpose: CeremonyPurpose; userId?: string | null },
): Promise<ChallengeRow & { webauthnChallenge: string }> {
  const { db, clock, fail } = context;
  const start = startOf[purpose];
  const row = await findChallenge(db, environment, id, [purpose]);
  const challenge = row?.webauthnChallenge;
  if (!row || row.userId !== userId || !challenge) throw fail.not_found({ thing: 'challenge', lookup: start });
  if (row.completedAt !== null) throw fail.challenge_used({ start });
  if (row.expiresAt <= clock.now()) throw fail.challenge_expired({ start });
  if (!(await completeChallenge(context, id))) throw fail.challenge_used({ start });
  return { ...row, webauthnChallenge: challenge };
}
