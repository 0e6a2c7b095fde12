import { defineOperation } from '#core/kernel/operation.js';
import {
  boolean,
  dateTime,
  email,
  object,
  oneOf,
  optional,
  phone,
  text,
  url,
  uuid,
  withDefault,
} from '#core/kernel/schema/schema.js';
import { startProof } from '../../challenges/start.js';
import { emailIdentity, phoneIdentity } from '../../identities/normalize.js';
import { settingsOfCall } from '../../settings/load.js';
import { readLocale } from '../../signin/locale.js';
import { bindingFields, readReturn } from '../../challenges/return-target.js';
import { startEverywhere, startPerIdentifier, startPerIp } from '../../signin/limits.js';
import { requireEnabled, requireTexts } from '../../signin/enabled.js';

export default defineOperation({
  name: 'auth.signin.start',
  summary: 'Send a one-time code or a magic link to an address, or a code to a phone number.',
  description:
    'The answer is the same whether or not a user exists: nothing is looked up. A code is valid for 10 minutes and may be tried five times; a link is valid for 15 minutes and leads to the hosted page /auth/{environmentId}/link. In a test environment only addresses of active members are mailed and no text is sent; others get the same answer and their message is stored suppressed.',
  keywords: 'login passwordless otp email magic link sms sign up register',
  access: 'publishable',
  limits: [startPerIdentifier, startPerIp, startEverywhere],
  input: object(
    {
      email: optional(email('The address to send to.')),
      phone: optional(phone('The number to send to.')),
      method: withDefault(oneOf(['code', 'link'], 'What to send. A phone number gets a code.'), 'code'),
      redirectTo: optional(url('Where the sign-in returns to; one of the environment’s redirectUrls allows it.')),
      handoff: withDefault(
        boolean('Whether the completion answers `redirectTo` with a one-time svc_code in place of tokens.'),
        false,
      ),
      ...bindingFields,
      locale: optional(
        text('The language of the mail, and of the user where this signs them up; a BCP 47 tag.', { maxLength: 35 }),
      ),
    },
    { exactlyOneOf: ['email', 'phone'] },
  ),
  output: object({
    challengeId: uuid('For auth.signin.verify.'),
    method: oneOf(['code', 'link'], 'What was sent.'),
    sentTo: text('The address or number, masked.'),
    expiresAt: dateTime('Until when it can be completed.'),
  }),
  errors: [
    'account_closed',
    'auth_send_limited',
    'destination_not_allowed',
    'method_disabled',
    'provider_not_configured',
    'redirect_not_allowed',
  ],
  events: ['auth.signin.started'],
  example: {
    input: { email: 'ada@example.com' },
    output: {
      challengeId: '01890a5d-ac96-774b-bcce-b302099a9010',
      method: 'code',
      sentTo: 'a•••@example.com',
      expiresAt: '2026-11-20T09:40:00.000Z',
    },
  },

  async handle(input, context) {
    const { email: address, phone: number, method, locale } = input;
    const { caller, emit, audit, fail } = context;
    const { environment } = caller;
    const settings = await settingsOfCall(context, environment.id);
    const target = readReturn(context, environment, settings, input);
    if (number !== undefined) {
      if (method === 'link') throw fail.invalid_input({ field: 'method', problem: 'must be code for a phone number' });
      await requireTexts(context, environment, settings);
    } else requireEnabled(context, settings, method);
    const identity = address === undefined ? phoneIdentity(number ?? '') : emailIdentity(address);
    const { id, sentTo, expiresAt } = await startProof(context, environment, {
      purpose: method === 'link' ? 'signin_link' : 'signin_code',
      identity,
      userId: null,
      target,
      locale: readLocale(context, locale),
    });
    const proof = identity.kind === 'phone' ? 'sms' : method;
    emit('auth.signin.started', { subjectId: id, data: { method: proof, identityKind: identity.kind } });
    audit({
      subject: { type: 'challenge', id },
      summary: `Started a sign-in (${proof}).`,
      changes: [{ field: 'method', from: null, to: method }],
    });
    return { challengeId: id, method, sentTo, expiresAt: expiresAt.toISOString() };
  },
});
