import { defineOperation } from '#core/kernel/operation.js';
import { object, text, uuid } from '#core/kernel/schema/schema.js';
import { endWaitingSignIns } from '../../challenges/waiting.js';
import { endingChanges, endSessions, openedBy } from '../../sessions/end.js';
import { exampleIdentity, exampleTokens } from '../../examples.js';
import { findOwnIdentity, nameOf } from '../../identities/own.js';
import { presentIdentity, Identity } from '../../identities/resources.js';
import { refreshPrimary } from '../../identities/primary.js';
import { sendSecurityNotice } from '../../mails/send.js';
import { requireRemainingMethod } from '../../settings/remaining-methods.js';
import { identities } from '../../tables/identity.js';
import { lockOwnUser } from '../../users/find.js';
import { presentUser } from '../../users/resources.js';

export default defineOperation({
  name: 'auth.identity.remove',
  summary: 'Removes an address, phone number or linked provider. Refused if no other way to sign in would remain.',
  description:
    'If it was the primary one, the oldest verified address or number of its kind becomes primary. The user’s other sessions that signed in with it end. The removed address and the primary one receive a notice.',
  keywords: 'delete unlink email phone provider disconnect',
  access: 'user',
  impact: { destructive: true },
  needs: { recentSignIn: true, secondFactorIfActive: true, notImpersonated: true },
  input: object({ accessToken: text('The user’s access token.'), identityId: uuid('The identity to remove.') }),
  output: object({ identity: Identity }),
  errors: ['no_usable_signin_method'],
  events: ['auth.identity.removed', 'auth.user.updated', 'auth.session.revoked'],
  example: {
    input: { accessToken: exampleTokens.accessToken, identityId: exampleIdentity.id },
    output: { identity: exampleIdentity },
  },

  async handle({ identityId }, context) {
    const { db, clock, caller, emit, audit } = context;
    const { environment } = caller;
    const before = await lockOwnUser(db, caller);
    const row = await findOwnIdentity(context, identityId);
    await db.remove(identities, { id: row.id });
    await requireRemainingMethod(context, environment, before.id);
    const user = await refreshPrimary(db, before, clock.now());
    await endWaitingSignIns(context, user.id);
    const which = { userId: user.id, except: caller.user.sessionFamilyId, where: openedBy(row) };
    const ended = await endSessions(context, environment, which, 'revoked');
    const identity = presentIdentity(row);
    emit('auth.identity.removed', { subjectId: user.id, personId: user.id, data: { userId: user.id, identity } });
    if (user !== before)
      emit('auth.user.updated', {
        subjectId: user.id,
        personId: user.id,
        data: { user: presentUser(user, clock.now()) },
      });
    const alsoTo = row.kind === 'email' && row.verifiedAt !== null ? row.value : null;
    await sendSecurityNotice(context, environment, user, 'identity_removed', { what: nameOf(row), alsoTo });
    audit({
      subject: { type: 'user', id: user.id },
      summary: 'Removed a way to sign in.',
      changes: [{ field: 'identities', from: row.value, to: null }, ...endingChanges(ended)],
      personId: user.id,
    });
    return { identity };
  },
});
