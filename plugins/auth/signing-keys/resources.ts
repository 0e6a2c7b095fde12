import { dateTime, map, named, nullable, object, oneOf, text, type ValueOf } from '#core/kernel/schema/schema.js';
import { signingAlgorithms, signingKeyStatuses } from '../tables/signing-key.js';

export const SigningKey = named(
  'SigningKey',
  object(
    {
      keyId: text('The `kid` of the tokens that it signed.'),
      algorithm: oneOf(signingAlgorithms, 'The algorithm (RFC 7518, RFC 8037).'),
      status: oneOf(
        signingKeyStatuses,
        'active: it signs, from `signsFrom` on; published: it signed, and its tokens still verify; retired: they no longer do.',
      ),
      publicJwk: map(text(), 'The public half as a JWK (RFC 7517).'),
      createdAt: dateTime('When it was made.'),
      signsFrom: nullable(
        dateTime(
          'From when on it signs; until then the key before it does. Null for a first key, which signed at once.',
        ),
      ),
      retiresAt: nullable(dateTime('When the last token that it signed has expired; null while it signs.')),
    },
    { description: 'A key that signs access tokens.' },
  ),
);

export type SigningKeyValue = ValueOf<typeof SigningKey>;
