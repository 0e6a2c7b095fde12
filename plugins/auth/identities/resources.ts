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
import { identityKinds } from '../tables/identity.js';

export const Identity = named(
  'Identity',
  object(
    {
      id: uuid('The identity’s id.'),
      kind: oneOf(identityKinds, 'oauth: an account at a provider.'),
      value: text('The address, the number in E.164, or `provider:subject`.'),
      provider: nullable(text('The provider of an `oauth` identity.')),
      verifiedAt: nullable(dateTime('When the user proved it; null while they have not.')),
      primary: boolean('The address or number that is shown, and that notices go to.'),
      createdAt: dateTime('When it was added.'),
    },
    { description: 'What a user is recognised by.' },
  ),
);

export type IdentityValue = ValueOf<typeof Identity>;
