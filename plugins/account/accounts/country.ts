import { refusalOf } from '#core/kernel/errors/common.js';

const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
/** Codes that name no country although they are displayed as regions (ISO 3166-1: user-assigned or exceptionally reserved). */
const noCountries = new Set([
  ...['EU', 'EZ', 'UN', 'XA', 'XB', 'XK', 'ZZ', 'QO'],
  ...['AC', 'CP', 'CQ', 'DG', 'EA', 'IC', 'TA'],
]);

/** UK, SU, YU and their like are displayed too, as what they became: GB, RU, RS. */
const isOutdated = (code: string): boolean => new Intl.Locale(`und-${code}`).region !== code;

/**
 * An ISO 3166-1 alpha-2 code that is in use.
 * @throws invalid_input naming `country`
 */
export function checkedCountry(code: string | null): string | null {
  if (code === null) return null;
  if (noCountries.has(code) || isOutdated(code) || regions.of(code) === undefined) {
    throw refusalOf.invalid_input({
      field: 'country',
      problem: 'must be an ISO 3166-1 alpha-2 code such as DE',
      details: { field: 'country' },
    });
  }
  return code;
}
