import { refusalOf } from '#core/kernel/errors/common.js';

const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
/** Codes that name no country although they are displayed as regions (ISO 3166-1: user-assigned or exceptionally reserved). */
const noCountries = new Set(['EU', 'EZ', 'UN', 'XA', 'XB', 'ZZ', 'QO']);

/**
 * An ISO 3166-1 alpha-2 code that is in use.
 * @throws invalid_input naming `country`
 */
export function checkedCountry(code: string | null): string | null {
  if (code === null) return null;
  if (noCountries.has(code) || regions.of(code) === undefined) {
    throw refusalOf.invalid_input({
      field: 'country',
      problem: 'must be an ISO 3166-1 alpha-2 code such as DE',
      details: { field: 'country' },
    });
  }
  return code;
}
