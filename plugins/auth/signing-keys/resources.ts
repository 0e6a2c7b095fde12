import { dateTime, map, named, nullable, object, oneOf, text, type ValueOf } from '#core/kernel/schema/schema.js';
import { signingAlgorithms, signingKeyStatuses, type SigningKeyRow } from '../tables/signing-key.js';

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

/**
 * Whether tokens that the key signed can still be verified: it signs, or it was replaced and its last token has not
 * expired.
 */
export const isPublished = ({ status, retiresAt }: Pick<SigningKeyRow, 'status' | 'retiresAt'>, now: Date): boolean =>
  status === 'active' || (status === 'published' && retiresAt !== null && retiresAt > now);

/** A key as replies and events show it. It is shown as retired once the last token that it signed has expired. */
export const presentSigningKey = (row: SigningKeyRow, now: Date): SigningKeyValue => ({
  keyId: row.id,
  algorithm: row.algorithm,
  status: row.status === 'active' ? 'active' : isPublished(row, now) ? 'published' : 'retired',
  publicJwk: row.publicJwk,
  createdAt: row.createdAt.toISOString(),
  signsFrom: row.signsFrom?.toISOString() ?? null,
  retiresAt: row.retiresAt?.toISOString() ?? null,
});
