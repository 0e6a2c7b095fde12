import {
  boolean,
  dateTime,
  named,
  nullable,
  object,
  oneOf,
  text,
  uuid,
  type ValueOf,
} from '#core/kernel/schema/schema.js';
import { identityKinds, type IdentityRow } from '../tables/identity.js';

export const Identity = named(
  'Identity',
  object(
    {
      id: uuid('The identity’s id.'),
      kind: oneOf(identityKinds, 'oauth: an account at a provider.'),
      value: text('The address, the number in E.164, or `provider:subject`.'),
      provider: nullable(text('The provider of an `oauth` identity.')),
      verifiedAt: nullable(dateTime('When it was verified; null if it is not.')),
      primary: boolean('Whether it is the address or number that is shown and that notices are sent to.'),
      createdAt: dateTime('When it was added.'),
    },
    { description: 'An address, number or provider account that identifies the user.' },
  ),
);

export type IdentityValue = ValueOf<typeof Identity>;

/** An identity as replies and events show it. */
export const presentIdentity = (row: IdentityRow): IdentityValue => ({
  id: row.id,
  kind: row.kind,
  value: row.value,
  provider: row.provider,
  verifiedAt: row.verifiedAt?.toISOString() ?? null,
  primary: row.isPrimary,
  createdAt: row.createdAt.toISOString(),
});
