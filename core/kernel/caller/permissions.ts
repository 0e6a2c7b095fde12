import { roles, type Role } from './caller.js';

/** The only permission of publishable keys; never granted to a secret key by name. */
export const publicPermission = 'auth:public';

/** The products that the role developer may write: all except account and billing. */
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

/** What a member may do: what the role holds, or only `permissions` of it if they are not null. */
export interface Grant {
  role: Role;
  permissions: readonly string[] | null;
}

/**
 * The permissions that a grant allows.
 * @param enabled the deployment's products: the others grant nothing
 */
export const permissionsGranted = ({ role, permissions }: Grant, enabled: readonly string[]): string[] =>
  limitToRole(role, permissionsOf(enabled)).filter((each) => permissions === null || permissions.includes(each));

/** Returns those of `permissions` that the role allows. */
export const limitToRole = (role: Role, permissions: readonly string[]): string[] =>
  permissions.filter((each) => roleHolds(role, each));

/** 0 for an owner; higher numbers are weaker roles. */
export const roleRank = (role: Role): number => roles.indexOf(role);

/** The product of an event, an operation or a template: the beginning of its name. */
export const productOf = (name: string): string => name.split('.')[0] ?? '';

/**
 * The products that a caller may read; null for all. Logs that cover every product, such as events, show only these
 * products, because their records contain the same data as the products' own reads.
 * @param enabled the deployment's products
 */
export function readableProducts(permissions: ReadonlySet<string>, enabled: readonly string[]): string[] | null {
  const readable = enabled.filter((product) => permissions.has(`${product}:read`));
  return readable.length === enabled.length ? null : readable;
}
