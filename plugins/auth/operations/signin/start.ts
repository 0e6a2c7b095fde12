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
import { bindingFields, readReturn } from '../../challenges/return-target.js';
import { startEverywhere, startPerIdentifier, startPerIp, startPerMailbox } from '../../signin/limits.js';
import { requireEnabled, requireTexts } from '../../signin/enabled.js';
import type { Context } from '#core/kernel/context.js';
import { canonicalLocale } from '#core/kernel/schema/locale.js';

export default defineOperation({
  name: 'auth.signin.start',
  summary:
    'Sends a one-time code or a magic link to an email address or phone number. The reply is the same whether or not a user exists.',
  description:
    'A code is valid for 10 minutes and five attempts; a link is valid for 15 minutes and opens the hosted page /auth/{environmentId}/link. In a test environment, mail goes only to the addresses of active members and no text message is sent; for any other recipient, the reply is the same and the message is stored as suppressed.',
  keywords: 'login passwordless otp email magic link sms sign up register',
  access: 'publishable',
  limits: [startPerIdentifier, startPerMailbox, startPerIp, startEverywhere],
  input: object(
    {
      email: optional(email('The address to send to.')),
      phone: optional(phone('The number to send to.')),
      method: withDefault(oneOf(['code', 'link'], 'What to send. A phone number receives a code.'), 'code'),
      redirectTo: optional(url('Where the sign-in returns to. Must match one of the environment’s redirectUrls.')),
      handoff: withDefault(
        boolean('Whether completing the sign-in returns redirectTo with a one-time svc_code instead of tokens.'),
        false,
      ),
      ...bindingFields,
      locale: optional(
        text('The language of the email, and of the user if this creates one; a BCP 47 tag.', { maxLength: 35 }),
      ),
    },
    { exactlyOneOf: ['email', 'phone'] },
  ),
  output: object({
    challengeId: uuid('For auth.signin.verify.'),
    method: oneOf(['code', 'link'], 'What was sent.'),
    sentTo: text('The address or number, masked.'),
    expiresAt: dateTime('When it expires.'),
    hasBounced: boolean(
      'Mail to this address bounced before, whether or not a user has it. Codes and links are still sent to it, three times a day.',
    ),
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
      hasBounced: false,
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
    const { id, sentTo, expiresAt, hasBounced } = await startProof(context, environment, {
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
    return { challengeId: id, method, sentTo, expiresAt: expiresAt.toISOString(), hasBounced };
  },
});

/**
 * A language of the input in its canonical spelling; null if none was given.
 * @throws invalid_input
 */
function readLocale({ fail }: Pick<Context, 'fail'>, locale: string | undefined): string | null {
  if (locale === undefined) return null;
  const canonical = canonicalLocale(locale);
  if (canonical === null)
    throw fail.invalid_input({ field: 'locale', problem: 'must be a BCP 47 language tag such as en or pt-BR' });
  return canonical;
}
