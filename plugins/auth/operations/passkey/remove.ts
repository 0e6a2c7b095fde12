import { lockOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { endWaitingSignIns } from '../../challenges/waiting.js';
import { endingChanges, endSessions, openedBy } from '../../sessions/end.js';
import { accessToken, exampleAccessToken } from '../../access-token.js';
import { examplePasskey } from '../../examples.js';
import { sendSecurityNotice } from '../../mails/send.js';
import { Passkey } from '../../passkeys/resources.js';
import { presentPasskey } from '../../passkeys/store.js';
import { requireRemainingMethod } from '../../settings/remaining-methods.js';
import { passkeys } from '../../tables/passkey.js';
import { lockOwnUser } from '../../users/find.js';

export default defineOperation({
  name: 'auth.passkey.remove',
  summary: 'Removes one of the signed-in user’s passkeys. Refused if no other way to sign in would remain.',
  description:
    'The user’s other sessions that signed in with it end. The device may still offer the passkey until the user deletes it there.',
  keywords: 'webauthn fido delete credential',
  access: 'user',
  impact: { destructive: true },
  needs: { recentSignIn: true, secondFactorIfActive: true, notImpersonated: true },
  input: object({ accessToken, passkeyId: uuid('The passkey to remove.') }),
  output: object({ passkey: Passkey }),
  errors: ['no_usable_signin_method'],
  events: ['auth.passkey.removed', 'auth.session.revoked'],
  example: {
    input: { accessToken: exampleAccessToken, passkeyId: examplePasskey.id },
    output: { passkey: examplePasskey },
  },

  async handle({ passkeyId }, context) {
    const { db, caller, clock, audit, emit, fail } = context;
    const { environment } = caller;
    const { userId, label, sessionFamilyId } = caller.user;
    const user = await lockOwnUser(db, caller);
    const row = await lockOwned(db, passkeys, caller, passkeyId);
    if (row.userId !== userId) throw fail.not_found({ ...passkeys.notFound });
    await db.remove(passkeys, { id: passkeyId });
    await requireRemainingMethod(context, environment, userId);
    await endWaitingSignIns(context, userId);
    const which = { userId, except: sessionFamilyId, where: openedBy({ id: passkeyId, kind: 'passkey' }) };
    const ended = await endSessions(context, environment, which, 'revoked');
    const passkey = presentPasskey(row);
    audit({
      subject: { type: 'user', id: userId },
      personId: userId,
      summary: `Removed a passkey of ${label}.`,
      changes: [{ field: 'removedAt', from: null, to: clock.now().toISOString() }, ...endingChanges(ended)],
    });
    emit('auth.passkey.removed', { subjectId: userId, personId: userId, data: { userId, passkey } });
    await sendSecurityNotice(context, environment, user, 'passkey_removed', { what: row.name });
    return { passkey };
  },
});
