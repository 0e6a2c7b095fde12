import type { Authenticator } from '#core/kernel/caller/authenticator.js';
import type { Services } from '#core/kernel/services.js';
import { bannedRefusal, isBanned } from '../users/ban.js';
import { checkAccessToken, checkingOf } from './check-token.js';

/**
 * The kernel's `findUserSession`: one indexed read for session, user, key, settings and organization; nothing is
 * cached.
 */
export function userSessions(services: Services): Authenticator {
  const { clock } = services;
  return {
    async findUserSession(accessToken, environment) {
      const checked = await checkAccessToken(checkingOf(services), environment, accessToken);
      if (!checked.valid) return null;
      const { user, session, requiresFactor, lacksActiveFactor } = checked;
      if (isBanned(user, clock.now())) throw bannedRefusal();
      return {
        userId: user.id,
        sessionFamilyId: session.id,
        label: user.email ?? user.phone ?? user.name ?? user.id,
        email: user.email,
        signedInAt: session.signedInAt,
        secondFactor: session.mfa,
        lacksActiveFactor,
        lacksRequiredFactor: requiresFactor && !session.mfa,
        impersonator: session.impersonatorId
          ? { memberId: session.impersonatorId, label: session.impersonatorLabel ?? session.impersonatorId }
          : null,
      };
    },
  };
}
