import { invalidField } from '../errors/invalid-field.js';

const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
/** Codes with a display name that are not countries: user-assigned or exceptionally reserved in ISO 3166-1. */
const notCountries = new Set([
  ...['EU', 'EZ', 'UN', 'XA', 'XB', 'XK', 'ZZ', 'QO'],
  ...['AC', 'CP', 'CQ', 'DG', 'EA', 'IC', 'TA'],
]);

/** Whether the code was replaced. UK, SU and YU resolve to GB, RU and RS. */
const isReplaced = (code: string): boolean => new Intl.Locale(`und-${code}`).region !== code;

/** Whether a code is an ISO 3166-1 alpha-2 code that is in use. */
export const isCountry = (code: string): boolean =>
  !notCountries.has(code) && !isReplaced(code) && regions.of(code) !== undefined;

/**
 * @param code an ISO 3166-1 alpha-2 code; null for none
 * @param field the field's name in the request
 * @returns the code
 * @throws invalid_input naming the field, for a code that is not in use
 */
export function validateCountry(code: string | null, field = 'country'): string | null {
  if (code === null || isCountry(code)) return code;
  throw invalidField(field, 'must be an ISO 3166-1 alpha-2 code such as DE');
}
