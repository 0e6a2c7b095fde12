import { dateTime, named, nullable, object, oneOf, text, uuid, type ValueOf } from '#core/kernel/schema/schema.js';
import { factorKinds, factorStatuses, type FactorRow } from '../tables/factor.js';

export const Factor = named(
  'Factor',
  object(
    {
      id: uuid('The factor’s id.'),
      kind: oneOf(factorKinds, 'totp: codes of an authenticator app (RFC 6238).'),
      name: nullable(text('The user’s name for the factor.')),
      status: oneOf(
        factorStatuses,
        'pending: enrolled but without a first code yet, so it has no effect; active: sign-ins require its codes.',
      ),
      createdAt: dateTime('When it was enrolled.'),
      activatedAt: nullable(dateTime('When it was activated with its first code.')),
    },
    { description: 'A second factor.' },
  ),
);

export type FactorValue = ValueOf<typeof Factor>;

/** A factor as replies and events show it. */
export const presentFactor = (row: FactorRow): FactorValue => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  status: row.status,
  createdAt: row.createdAt.toISOString(),
  activatedAt: row.activatedAt?.toISOString() ?? null,
});
