import { roles, type Role } from './caller.js';

/** The one permission of publishable keys; never granted to a secret key by name. */
export const publicPermission = 'auth:public';

/** The products that the role developer may write: all but account and billing. */
const developerWrites = new Set(['auth', 'email', 'sms', 'audience', 'developers']);

/** All permissions of the named products. */
export const permissionsOf = (names: readonly string[]): string[] =>
  names.flatMap((name) => [`${name}:read`, `${name}:write`]);

/** Whether the role allows `permission`. A key never allows more than the role it was created with. */
export function roleHolds(role: Role, permission: string): boolean {
  if (role === 'owner' || role === 'admin') return true;
  const [product = '', verb] = permission.split(':');
  if (verb === 'read') return true;
  return role === 'developer' && developerWrites.has(product);
}

/** Returns those of `permissions` that the role allows. */
export const limitToRole = (role: Role, permissions: readonly string[]): string[] =>
  permissions.filter((each) => roleHolds(role, each));

/** 0 for an owner; higher numbers are weaker roles. */
export const roleRank = (role: Role): number => roles.indexOf(role);
