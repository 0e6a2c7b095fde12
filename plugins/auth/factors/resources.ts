import { dateTime, named, nullable, object, oneOf, text, uuid, type ValueOf } from '#core/kernel/schema/schema.js';
import { factorKinds, factorStatuses } from '../tables/factor.js';

export const Factor = named(
  'Factor',
  object(
    {
      id: uuid('The factor’s id.'),
      kind: oneOf(factorKinds, 'totp: codes of an authenticator app (RFC 6238).'),
      name: nullable(text('The name that the user gave it.')),
      status: oneOf(
        factorStatuses,
        'pending: enrolled, no code was entered yet, so it does not count; active: sign-ins ask for its codes.',
      ),
      createdAt: dateTime('When it was enrolled.'),
      activatedAt: nullable(dateTime('When its first code was entered.')),
    },
    { description: 'A second factor.' },
  ),
);

export type FactorValue = ValueOf<typeof Factor>;
