import type { WorkerServices } from '#core/kernel/worker-services.js';
import { registrationUrlOf } from '../providers/callback-values.js';
import type { RegistrationStatus, ProviderResult, SmsProvider } from '../providers/provider.js';
import { numbers } from '../tables/number.js';
import type { RegistrationRow } from '../registration-data/table.js';
import { maskTaxId, openTaxId } from './tax-id.js';

/**
 * Runs the next task of a registration at the provider, or requests its status. The answer never contains the tax
 * number.
 */
export async function advance(
  { database, vault, deployment }: Pick<WorkerServices, 'database' | 'vault' | 'deployment'>,
  provider: SmsProvider,
  { id, environmentId, filed, sealedTaxId, providerRefs }: RegistrationRow,
): Promise<ProviderResult<RegistrationStatus>> {
  if (!provider.registration)
    return { ok: true, value: { stage: 'active', problems: [], refs: providerRefs, next: 'never' } };
  const own = await database.find(numbers, { environmentId, status: 'assigned' });
  const { taxId: _masked, ...rest } = filed;
  const taxId = sealedTaxId && openTaxId(vault, id, sealedTaxId);
  const answer = await provider.registration.advance({
    registrationId: id,
    filed: rest,
    taxId,
    callbackUrl: registrationUrlOf(deployment.baseUrl, id),
    refs: providerRefs,
    numbers: own.flatMap(({ providerId }) => providerId ?? []),
  });
  // Providers repeat the values that they refuse in their messages.
  const masked = (words: string): string => (taxId === null ? words : words.replaceAll(taxId, maskTaxId(taxId)));
  if (!answer.ok) return { ...answer, problem: masked(answer.problem) };
  const problems = answer.value.problems.map((each) => ({ ...each, message: masked(each.message) }));
  return { ok: true, value: { ...answer.value, problems } };
}
