import type { Role } from '#core/kernel/caller/caller.js';
import { requireKnownPermissions } from '#core/kernel/caller/known-permissions.js';
import { limitToRole } from '#core/kernel/caller/permissions.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { list, text } from '#core/kernel/schema/schema.js';

/*
 * A membership can be narrowed to some permissions of its role, for people who are not developers
 * (docs/decisions/0209-narrowed-memberships.md).
 */

const permission = text('Such as email:write.', { pattern: '^[a-z][a-z0-9]{0,30}:(read|write)$' });

/** The field `permissions` of inputs. @param description what it does in this operation */
export const narrowedInput = (description: string) =>
  list(permission, description, { minItems: 1, maxItems: 100, uniqueItems: true });

/**
 * Checks the permissions to which a membership will be narrowed.
 * @param products the enabled products
 * @returns the permissions, sorted; null if the membership is not narrowed
 * @throws invalid_input if one does not exist or the role does not hold it, and for owners, who hold everything
 */
export function narrowed(
  role: Role,
  permissions: readonly string[] | null,
  products: readonly string[],
): string[] | null {
  if (permissions === null) return null;
  if (role === 'owner') throw invalidField('permissions', 'must be left out for an owner, who may do everything');
  requireKnownPermissions(permissions, products);
  const held = limitToRole(role, permissions);
  const index = permissions.findIndex((each) => !held.includes(each));
  if (index !== -1)
    throw invalidField(`permissions[${index}]`, `is ${permissions[index]}, which the role ${role} does not hold`);
  return [...permissions].sort();
}

/**
 * What a narrowed membership keeps if its role changes and the call does not name permissions: those that the new role
 * holds too. Otherwise a call that does not know of the narrowing would undo it.
 * @throws invalid_input if the new role holds none of them
 */
export function keptNarrowing(role: Role, permissions: readonly string[] | null): string[] | null {
  if (permissions === null || role === 'owner') return null;
  const kept = limitToRole(role, permissions);
  if (kept.length > 0) return kept;
  throw invalidField('permissions', `is required, because the role ${role} holds none of ${permissions.join(', ')}`);
}
