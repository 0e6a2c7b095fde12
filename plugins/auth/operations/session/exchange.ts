import { defineOperation } from '#core/kernel/operation.js';
import { object, optional, text } from '#core/kernel/schema/schema.js';
import { equalBytes, sha256 } from '#core/runtime/secrets/digest.js';
import { exampleTokens, exampleUser } from '../../examples.js';
import { presentSession, Tokens } from '../../sessions/resources.js';
import { readHandoffSession } from '../../sessions/read.js';
import { replaySeconds, issueTokens } from '../../sessions/tokens.js';
import { invalidCodesPerIp } from '../../signin/limits.js';
import { handoffs, type HandoffRow } from '../../tables/handoff.js';
import { isBanned } from '../../users/ban.js';
import { presentUser, User } from '../../users/resources.js';

export default defineOperation({
  name: 'auth.session.exchange',
  summary: 'Exchanges a handoff code for tokens. The code works once, within two minutes.',
  description:
    'The code is the query parameter svc_code of the URL that a sign-in with `handoff` returned to. Before you exchange it, compare the query parameter `state` with the value that your app stored in this browser: anyone can send people a URL that contains a code of their own. A code from a sign-in with a codeChallenge requires its codeVerifier; a code from any other sign-in is refused with one.',
  keywords: 'svc_code redirect callback hosted page sign-in complete',
  access: 'publishable',
  limits: [invalidCodesPerIp],
  showsSecret: 'stored encrypted',
  replaySeconds,
  input: object({
    code: text('The value of svc_code.', { minLength: 1, maxLength: 200 }),
    codeVerifier: optional(
      text('The value whose SHA-256 is the codeChallenge of the sign-in (RFC 7636).', {
        minLength: 43,
        maxLength: 128,
        pattern: '^[A-Za-z0-9._~-]+$',
      }),
    ),
  }),
  output: object({ tokens: Tokens, user: User }),
  errors: ['code_expired', 'code_invalid', 'code_used', 'session_revoked', 'user_banned'],
  events: ['auth.session.exchanged'],
  example: { input: { code: 'svc_hc_example' }, output: { tokens: exampleTokens, user: exampleUser } },

  async handle({ code, codeVerifier }, context) {
    const { db, caller, clock, fail, emit, audit } = context;
    const { environment } = caller;
    const codeDigest = sha256(code);
    const [[row], found] = await Promise.all([
      db.prepared<object>(`SELECT ${handoffs.columnList()} FROM auth_handoff WHERE code_digest = ? FOR UPDATE`, [
        codeDigest,
      ]),
      readHandoffSession(db, environment.id, codeDigest),
    ]);
    const handoff = row && handoffs.decode(row);
    if (handoff?.environmentId !== environment.id) throw fail.code_invalid();
    // The hosted pages hand off the session themselves, after a required second factor is set up, and have no
    // verifier.
    if (caller.kind !== 'page' && !fits(handoff, codeVerifier)) throw fail.code_invalid();
    const now = clock.now();
    if (handoff.usedAt !== null) throw fail.code_used();
    if (handoff.expiresAt <= now) throw fail.code_expired();
    if (!found) throw fail.session_revoked();
    const { session, user } = found;
    if (isBanned(user, now)) throw fail.user_banned();
    if (session.endedAt !== null || session.expiresAt <= now) throw fail.session_revoked();
    await db.defer(handoffs.updateRow({ codeDigest }, { usedAt: now }));
    const tokens = await issueTokens(context, found);
    audit({
      subject: { type: 'session', id: session.id },
      summary: 'Exchanged a handoff code for the tokens of a session.',
      changes: [{ field: 'usedAt', from: null, to: now.toISOString() }],
      personId: user.id,
    });
    emit('auth.session.exchanged', {
      subjectId: session.id,
      personId: user.id,
      data: { session: presentSession(session) },
    });
    return { tokens, user: presentUser(user, now) };
  },
});

/**
 * Whether the code's challenge, if it has one, was made from the verifier. A verifier without a challenge is refused
 * (RFC 9700 section 4.8.2).
 */
const fits = ({ appChallenge }: HandoffRow, codeVerifier: string | undefined): boolean =>
  appChallenge === null
    ? codeVerifier === undefined
    : codeVerifier !== undefined && equalBytes(sha256(codeVerifier), Buffer.from(appChallenge, 'base64url'));
