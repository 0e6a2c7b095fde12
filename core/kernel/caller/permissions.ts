import { roles, type Role } from './caller.js';

/** The one permission of publishable keys; never granted to a secret key by name. */
export const publicPermission = 'auth:public';

/** What a developer may change: everything that is not the account, its members or its money. */
const developerWrites = new Set(['auth', 'email', 'sms', 'audience', 'developers']);

/** Every permission there is for `names` of products. */
export const permissionsOf = (names: readonly string[]): string[] =>
  names.flatMap((name) => [`${name}:read`, `${name}:write`]);

/** Does this role reach as far as `permission`? The role of a key's creator is the key's ceiling. */
export function roleHolds(role: Role, permission: string): boolean {
  if (role === 'owner' || role === 'admin') return true;
  const [product = '', verb] = permission.split(':');
  if (verb === 'read') return true;
  return role === 'developer' && developerWrites.has(product);
}

/** What of `permissions` the role's ceiling leaves. */
export const limitToRole = (role: Role, permissions: readonly string[]): string[] =>
  permissions.filter((each) => roleHolds(role, each));

/** 0 for an owner; the higher, the weaker. */
export const roleRank = (role: Role): number => roles.indexOf(role);
