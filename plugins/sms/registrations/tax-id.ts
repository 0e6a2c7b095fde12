import type { Vault } from '#core/runtime/secrets/vault.js';

const cellOf = (registrationId: string) => ({
  table: 'sms_registration',
  column: 'sealed_tax_id',
  row: registrationId,
});

export const sealTaxId = (vault: Vault, registrationId: string, taxId: string): Buffer =>
  vault.seal(taxId, cellOf(registrationId));

export const openTaxId = (vault: Vault, registrationId: string, sealed: Buffer): string =>
  vault.open(sealed, cellOf(registrationId)).toString('utf8');

/** Its last two characters, if it is long enough for them to reveal nothing. */
export function maskTaxId(taxId: string): string {
  const shown = taxId.length >= 6 ? 2 : 0;
  return `${'•'.repeat(taxId.length - shown)}${taxId.slice(taxId.length - shown)}`;
}
