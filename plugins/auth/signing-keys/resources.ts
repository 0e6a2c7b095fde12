import { dateTime, map, named, nullable, object, oneOf, text, type ValueOf } from '#core/kernel/schema/schema.js';
import { signingAlgorithms, signingKeyStatuses } from '../tables/signing-key.js';

export const SigningKey = named(
  'SigningKey',
  object(
    {
      keyId: text('The `kid` in the tokens that it signs.'),
      algorithm: oneOf(signingAlgorithms, 'The algorithm (RFC 7518, RFC 8037).'),
      status: oneOf(
        signingKeyStatuses,
        'active: it signs, from `signsFrom` on; published: it no longer signs, but its tokens still verify; retired: its tokens no longer verify.',
      ),
      publicJwk: map(text(), 'The public half as a JWK (RFC 7517).'),
      createdAt: dateTime('When it was made.'),
      signsFrom: nullable(
        dateTime(
          'When it starts to sign; until then the previous key does. Null for a first key, which signs immediately.',
        ),
      ),
      retiresAt: nullable(dateTime('When the last token that it signed expires; null while it signs.')),
    },
    { description: 'A key that signs access tokens.' },
  ),
);

export type SigningKeyValue = ValueOf<typeof SigningKey>;
