import type { Environment } from '#core/kernel/caller/caller.js';
import type { ReadContext } from '#core/kernel/context.js';
import { isVerifiedSender, usableDomain } from '../senders/verified.js';

/** Why a broadcast cannot be sent from an address, as a readiness problem; null when it can. */
export async function senderProblem(
  context: Pick<ReadContext, 'db' | 'use' | 'deployment'>,
  environment: Environment,
  from: string,
): Promise<{ code: 'sender_not_verified'; message: string; fix: string } | null> {
  if (await isVerifiedSender(context, environment, from)) return null;
  const domain = await usableDomain(context, environment);
  return {
    code: 'sender_not_verified',
    message: `The address ${from} is on no verified domain of this environment.`,
    fix: `Name an address at ${domain} with email.broadcast.update, or register and verify its domain with email.domain.add.`,
  };
}
