import { perUser } from '#core/kernel/limits/named-limit.js';
import { defineOperation } from '#core/kernel/operation.js';
import { dateTime, email, object, optional, phone, text, uuid } from '#core/kernel/schema/schema.js';
import { startProof } from '../../challenges/start.js';
import { exampleTokens } from '../../examples.js';
import { capReached } from '../../identities/cap.js';
import { emailIdentity, phoneIdentity } from '../../identities/normalize.js';
import { loadSettings } from '../../settings/load.js';
import { requireTexts } from '../../signin/enabled.js';
import { startEverywhere, startPerIdentifier, startPerIp, startPerMailbox } from '../../signin/limits.js';
import { noTarget } from '../../challenges/return-target.js';
import { findIdentity, lockOwnUser } from '../../users/find.js';

export default defineOperation({
  name: 'auth.identity.add',
  summary: 'Starts adding an email address or phone number to the signed-in user and sends a code to it.',
  description:
    'auth.identity.verify adds it. Only that call reveals whether another user has the address or number, to a caller that has proven it. This call can also verify an unverified address or number that the user already has. A user has at most 20 addresses and 20 numbers.',
  keywords: 'second email link another address phone number',
  access: 'user',
  needs: { recentSignIn: true, secondFactorIfActive: true, notImpersonated: true },
  limits: [
    perUser({ name: 'auth.identity.add', max: 5, windowSeconds: 3_600, description: '5 per hour per user' }),
    startPerIdentifier,
    startPerMailbox,
    startPerIp,
    startEverywhere,
  ],
  input: object(
    {
      accessToken: text('The user’s access token.'),
      email: optional(email('The address to add.')),
      phone: optional(phone('The number to add.')),
    },
    { exactlyOneOf: ['email', 'phone'] },
  ),
  output: object({
    challengeId: uuid('For auth.identity.verify.'),
    sentTo: text('The address or number, masked.'),
    expiresAt: dateTime('When the code expires.'),
  }),
  errors: [
    'account_closed',
    'auth_send_limited',
    'destination_not_allowed',
    'identity_exists',
    'limit_reached',
    'method_disabled',
    'provider_not_configured',
  ],
  events: ['auth.identity.add_started'],
  example: {
    input: { accessToken: exampleTokens.accessToken, email: 'ada@work.example' },
    output: {
      challengeId: '01890a5d-ac96-774b-bcce-b302099a9012',
      sentTo: 'a•••@work.example',
      expiresAt: '2026-11-20T09:40:00.000Z',
    },
  },

  async handle({ email: address, phone: number }, context) {
    const { db, caller, emit, audit, fail } = context;
    const { environment } = caller;
    if (number !== undefined) await requireTexts(context, environment, await loadSettings(db, environment.id));
    const identity = address === undefined ? phoneIdentity(number ?? '') : emailIdentity(address);
    const user = await lockOwnUser(db, caller);
    const known = await findIdentity(db, environment.id, identity);
    if (known?.userId === user.id && known.verifiedAt !== null) throw fail.identity_exists();
    const full = known?.userId === user.id ? null : await capReached(db, user.id, identity.kind);
    if (full) throw fail.limit_reached(full);
    const { id, sentTo, expiresAt } = await startProof(context, environment, {
      purpose: 'identity',
      identity,
      userId: user.id,
      target: noTarget,
      locale: user.locale,
    });
    const kind = identity.kind === 'phone' ? 'phone' : 'email';
    emit('auth.identity.add_started', { subjectId: user.id, personId: user.id, data: { userId: user.id, kind } });
    audit({
      subject: { type: 'user', id: user.id },
      summary: kind === 'phone' ? 'Sent a code to a phone number to add it.' : 'Sent a code to an address to add it.',
      changes: [{ field: 'sentTo', from: null, to: sentTo }],
      personId: user.id,
    });
    return { challengeId: id, sentTo, expiresAt: expiresAt.toISOString() };
  },
});
