import type { PageAnswer } from '#core/kernel/page.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import exchange from '../../operations/session/exchange.js';
import { readHandoffSession } from '../../sessions/read.js';
import { pendingCookieOf } from '../account/pending.js';
import { noFlow, type Flow } from '../flow.js';
import type { FormVisit } from '../form-result.js';
import { completeOnce } from '../one-answer.js';
import { sessionCookies } from '../session.js';

/**
 * If a second factor is required and the person has none, the app could do nothing with the session. So the pages keep
 * it for now: on the account page the person sets up a factor, and then continues to the app (account/destination.ts).
 * @param handoff the app's address with the one-time code, which is used up here
 * @returns null if the session lacks nothing. @throws the refusals of auth.session.exchange
 */
export async function setUpFactorFirst(on: FormVisit & { flow: Flow }, handoff: string): Promise<PageAnswer | null> {
  const { visit, services, flow } = on;
  const code = new URL(handoff).searchParams.get('svc_code') ?? '';
  const found = await readHandoffSession(services.database, visit.environment.id, sha256(code));
  if (!found?.requiresFactor || found.session.mfa) return null;
  const { tokens, user } = await completeOnce(on, exchange, { code });
  return seeOther(`${visit.root}/account`, [
    ...sessionCookies(visit, tokens, services.clock.now()),
    pendingCookieOf(on, user.id, 'destination', {
      address: flow.redirectTo ?? handoff,
      ...(flow.state === undefined ? {} : { state: flow.state }),
      ...(flow.codeChallenge === undefined ? {} : { codeChallenge: flow.codeChallenge }),
    }),
    noFlow(visit),
  ]);
}
