import { nearest } from '#config/nearest.js';
import { invalidField } from '../errors/invalid-field.js';
import { permissionsOf } from './permissions.js';

/**
 * Checks that permissions exist in this deployment.
 * @param products names of the enabled products
 * @throws invalid_input naming the first permission that does not exist, with the nearest one that does
 */
export function requireKnownPermissions(permissions: readonly string[], products: readonly string[]): void {
  const known = permissionsOf(products);
  const unknown = permissions.findIndex((permission) => !known.includes(permission));
  if (unknown === -1) return;
  const guess = nearest(permissions[unknown] ?? '', known);
  const hint = guess === undefined ? `; the permissions are ${known.join(', ')}` : ` (did you mean ${guess}?)`;
  throw invalidField(`permissions[${unknown}]`, `is not a permission of this deployment${hint}`);
}
