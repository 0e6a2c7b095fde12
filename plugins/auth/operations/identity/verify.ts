import { defineOperation } from '#core/kernel/operation.js';
import { object, text, uuid } from '#core/kernel/schema/schema.js';
import { isCode } from '../../challenges/secrets.js';
import { completeTried, countTry, findChallenge, whyClosed, wrongCode } from '../../challenges/tries.js';
import {
  confirmWrongCode,
  countAsWrongCode,
  readWrongCodesOfIp,
  takeBackWrongCode,
} from '../../challenges/wrong-codes.js';
import { exampleIdentity, exampleTokens } from '../../examples.js';
import { addProvenIdentity } from '../../proofs/add-identity.js';
import { presentIdentity, Identity } from '../../identities/resources.js';
import { sendSecurityNotice } from '../../mails/send.js';
import { lockOwnUser } from '../../users/find.js';
import { presentUser } from '../../users/resources.js';

const start = 'auth.identity.add';

export default defineOperation({
  name: 'auth.identity.verify',
  summary: 'Verifies the new address or phone number with its code and adds it to the signed-in user.',
  description:
    'The first address and the first number of a user become primary. The user’s primary address receives a notice. A user has at most 20 addresses and 20 numbers.',
  keywords: 'confirm email phone code',
  access: 'user',
  needs: { secondFactorIfActive: true, notImpersonated: true },
  input: object({
    accessToken: text('The user’s access token.'),
    challengeId: uuid('From auth.identity.add.'),
    code: text('The six digits.', { minLength: 1, maxLength: 32 }),
  }),
  output: object({ identity: Identity }),
  errors: ['challenge_expired', 'challenge_locked', 'challenge_used', 'identity_taken', 'limit_reached', 'wrong_code'],
  events: ['auth.identity.added', 'auth.identity.removed', 'auth.user.updated', 'auth.session.revoked'],
  example: {
    input: {
      accessToken: exampleTokens.accessToken,
      challengeId: '01890a5d-ac96-774b-bcce-b302099a9012',
      code: '271828',
    },
    output: { identity: { ...exampleIdentity, value: 'ada@work.example', primary: false } },
  },

  async handle({ challengeId, code }, context) {
    const { db, vault, clock, caller, emit, audit, fail, refuse } = context;
    const { environment } = caller;
    const [challenge, wrongCodesOfIp] = await Promise.all([
      findChallenge(db, environment, challengeId, ['identity']),
      readWrongCodesOfIp(context, environment),
    ]);
    if (challenge?.userId !== caller.user.userId) throw fail.not_found({ thing: 'challenge', lookup: start });
    const [, left] = await Promise.all([
      countAsWrongCode(context, environment, challenge, wrongCodesOfIp),
      countTry(context, challenge.id),
    ]);
    if (left === null) throw fail[await whyClosed(context, challenge.id)]({ start });
    if (!isCode(vault, challenge, code)) {
      await confirmWrongCode(context, environment, challenge);
      return wrongCode(context, left, { again: 'auth.identity.verify', start });
    }
    await takeBackWrongCode(context, environment, challenge);
    await completeTried(context, challenge.id);
    const before = await lockOwnUser(db, caller);
    const added = await addProvenIdentity(context, environment, before, challenge);
    if (added !== 'taken' && 'limit' in added) return refuse.limit_reached(added);
    if (added === 'taken')
      return refuse.identity_taken({ what: challenge.identityKind === 'phone' ? 'number' : 'address' });
    const { user, row, moved } = added;
    const identity = presentIdentity(row);
    emit('auth.identity.added', { subjectId: user.id, personId: user.id, data: { userId: user.id, identity } });
    if (user !== before)
      emit('auth.user.updated', {
        subjectId: user.id,
        personId: user.id,
        data: { user: presentUser(user, clock.now()) },
      });
    await sendSecurityNotice(context, environment, user, 'identity_added', { what: row.value });
    audit({
      subject: { type: 'user', id: user.id },
      summary: row.kind === 'phone' ? 'Added a phone number.' : 'Added an address.',
      changes: [{ field: 'identity', from: null, to: identity }, ...moved],
      personId: user.id,
    });
    return { identity };
  },
});
