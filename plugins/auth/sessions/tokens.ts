import type { Context } from '#core/kernel/context.js';
import { shift } from '#core/runtime/clock.js';
import type { OrgRole } from '../tables/org-member.js';
import { fittingClaims } from '../settings/claim-size.js';
import type { AuthSettingsValue } from '../settings/resources.js';
import { activeSigner } from '../signing-keys/active.js';
import { signJwt, type Claims } from '../signing-keys/jwt.js';
import type { SessionRow } from '../tables/session.js';
import type { SigningKeyRow } from '../tables/signing-key.js';
import type { UserRow } from '../tables/user.js';
import { refreshTokenOf } from './refresh-token.js';
import type { TokensValue } from './resources.js';

/**
 * For how many seconds a repeat with the call's Idempotency-Key gets the stored answer with its tokens. A refresh can
 * be repeated after that too (`repeatsLastRefresh`), and then gets other tokens.
 */
export const replaySeconds = 30;

type TokenContext = Pick<Context, 'db' | 'vault' | 'clock' | 'deployment'>;

/** The session and user that the tokens are for. */
interface TokenSubject {
  session: SessionRow;
  user: UserRow;
  settings: AuthSettingsValue;
  /** The user's role in the session's organization; null if none is active. */
  orgRole: OrgRole | null;
  /** The key that signs for the environment, if it was read already. */
  signingKey?: SigningKeyRow | null;
}

/** Seconds since 1970, as in JWTs (RFC 7519 section 2). */
const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);

function claimsOf(issuer: string, subject: TokenSubject, now: Date, expiresAt: Date): Claims {
  const { session, user, settings, orgRole } = subject;
  return {
    ...fittingClaims(settings.claims, user.metadata),
    iss: issuer,
    sub: user.id,
    aud: session.environmentId,
    sid: session.id,
    fam: session.id,
    iat: seconds(now),
    exp: seconds(expiresAt),
    auth_time: seconds(session.signedInAt),
    amr: session.methods,
    mfa: session.mfa,
    ...(session.organizationId && orgRole ? { org_id: session.organizationId, org_role: orgRole } : {}),
    ...(session.impersonatorId ? { act: { sub: session.impersonatorId } } : {}),
  };
}

/**
 * An access token, which does not outlive its session.
 * @param presentedUntil when the access token expires that the new one is issued for: the new one expires no later, so
 * that only the refresh token keeps a session open
 */
export async function issueAccessToken(
  context: TokenContext,
  subject: TokenSubject,
  presentedUntil: Date = subject.session.expiresAt,
): Promise<{ accessToken: string; expiresAt: Date }> {
  const { clock, deployment } = context;
  const now = clock.now();
  const { session, settings } = subject;
  const wanted = shift(now, settings.accessTokenSeconds * 1000);
  const ownEnd = wanted < session.expiresAt ? wanted : session.expiresAt;
  // In seconds, as tokens have it: the presented token's end has lost its milliseconds.
  const expiresAt = seconds(ownEnd) > seconds(presentedUntil) ? presentedUntil : ownEnd;
  const signer = await activeSigner(context, session.environmentId, subject.signingKey);
  return { accessToken: signJwt(signer, claimsOf(deployment.baseUrl, subject, now, expiresAt)), expiresAt };
}

/** The tokens of a session's current generation. */
export async function issueTokens(context: TokenContext, subject: TokenSubject): Promise<TokensValue> {
  const { accessToken, expiresAt } = await issueAccessToken(context, subject);
  return {
    accessToken,
    accessTokenExpiresAt: expiresAt.toISOString(),
    refreshToken: refreshTokenOf(context.vault, subject.session),
    refreshTokenExpiresAt: subject.session.expiresAt.toISOString(),
    tokenType: 'Bearer',
  };
}
