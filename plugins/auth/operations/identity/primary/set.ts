import { changesBetween } from '#core/kernel/audit/changes.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, text, uuid } from '#core/kernel/schema/schema.js';
import { exampleIdentity, exampleTokens, exampleUser } from '../../../examples.js';
import { findOwnIdentity } from '../../../identities/own.js';
import { refreshPrimary } from '../../../identities/primary.js';
import { sendSecurityNotice } from '../../../mails/send.js';
import { identities } from '../../../tables/identity.js';
import { lockOwnUser } from '../../../users/find.js';
import { presentUser, User } from '../../../users/resources.js';

export default defineOperation({
  name: 'auth.identity.primary.set',
  summary: 'Makes a verified address or phone number the user’s primary one.',
  description: 'The primary address is shown and receives notices. The previous one receives a notice of the change.',
  keywords: 'main default email change',
  access: 'user',
  impact: { retrySafe: true },
  needs: { recentSignIn: true, secondFactorIfActive: true, notImpersonated: true },
  input: object({ accessToken: text('The user’s access token.'), identityId: uuid('The address or number.') }),
  output: object({ user: User }),
  errors: ['identity_unverified'],
  events: ['auth.user.updated'],
  example: {
    input: { accessToken: exampleTokens.accessToken, identityId: exampleIdentity.id },
    output: { user: exampleUser },
  },

  async handle({ identityId }, context) {
    const { db, clock, caller, emit, audit, fail } = context;
    const now = clock.now();
    const before = await lockOwnUser(db, caller);
    const row = await findOwnIdentity(context, identityId);
    if (row.kind === 'oauth')
      throw fail.invalid_input({
        field: 'identityId',
        problem: 'must be an address or a number, not a provider account',
      });
    if (row.verifiedAt === null)
      throw fail.identity_unverified({
        problem: 'The address or number is not verified',
        nextStep: 'Send it a code with auth.identity.add, verify it with auth.identity.verify, then call again.',
      });
    if (!row.isPrimary) {
      await db.update(identities, { userId: before.id, kind: row.kind }, { isPrimary: false });
      await db.update(identities, { id: row.id }, { isPrimary: true });
    }
    const after = await refreshPrimary(db, before, now);
    const user = presentUser(after, now);
    const shown = ['email', 'emailVerified', 'phone', 'phoneVerified'] as const;
    audit({
      subject: { type: 'user', id: after.id },
      summary: row.kind === 'phone' ? 'Changed the primary phone number.' : 'Changed the primary address.',
      changes: changesBetween(presentUser(before, now), user, shown),
      unchanged: 'it was already the primary one.',
      personId: after.id,
    });
    if (after === before) return { user };
    emit('auth.user.updated', { subjectId: after.id, personId: after.id, data: { user } });
    const alsoTo = row.kind === 'email' && before.emailVerified ? before.email : null;
    await sendSecurityNotice(context, caller.environment, after, 'primary_changed', { what: row.value, alsoTo });
    return { user };
  },
});
