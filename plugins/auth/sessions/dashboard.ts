import type { Context } from '#core/kernel/context.js';
import { keyIssuer } from '#core/kernel/ports.js';
import type { DashboardSessions } from '../ports.js';
import { identities } from '../tables/identity.js';
import { isBanned } from '../users/ban.js';
import { checkAccessToken } from './check-token.js';

/** See `DashboardSessions`. */
export const makeDashboardSessions = ({
  db,
  clock,
  deployment,
  use,
}: Pick<Context, 'db' | 'clock' | 'deployment' | 'use'>): DashboardSessions => ({
  async find(environment, accessToken) {
    const now = clock.now();
    const checked = await checkAccessToken(
      { db, issuer: deployment.baseUrl, now, stillHolds: use(keyIssuer).stillHolds },
      environment,
      accessToken,
    );
    if (!checked.valid || isBanned(checked.user, now)) return null;
    const { user, session, requiresFactor } = checked;
    const emails = await db.find(identities, { userId: user.id, kind: 'email' });
    const valuesOf = (verified: boolean): string[] =>
      emails.filter(({ verifiedAt }) => (verifiedAt !== null) === verified).map(({ value }) => value);
    return {
      sessionId: session.id,
      userId: user.id,
      primaryEmail: user.email,
      verifiedEmails: valuesOf(true),
      unverifiedEmails: valuesOf(false),
      impersonated: session.impersonatorId !== null,
      secondFactor: session.mfa,
      lacksRequiredFactor: requiresFactor && !session.mfa,
      signedInAt: session.signedInAt,
    };
  },
});
