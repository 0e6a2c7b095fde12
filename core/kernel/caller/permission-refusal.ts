import { refusalOf } from '../errors/common.js';
import type { SvcError } from '../errors/errors.js';
import type { TenantCaller } from './caller.js';
import { roleHolds } from './permissions.js';

/**
 * The refusal of a caller that lacks a permission: it names who may grant it, and how. No change of its permissions
 * helps a key whose role does not hold the permission.
 * @param operation what was called, for the message
 * @returns permission_required
 */
export function permissionRefusal(caller: TenantCaller, permission: string, operation: string): SvcError {
  const { kind, role, updateOperation: update, createOperation: create } = caller;
  const needed = { permission, operation };
  if (kind === 'member')
    return refusalOf.permission_required({
      ...needed,
      // A role that holds the permission was narrowed for this member.
      holder: roleHolds(role, permission) ? `Your membership (part of the role ${role})` : `Your role (${role})`,
      otherwise: `ask an owner or admin of the account for it, with ${update}`,
    });
  if (create !== null && !roleHolds(role, permission))
    return refusalOf.permission_required({
      ...needed,
      holder: `The role of this key (${role})`,
      otherwise: `ask somebody whose role holds it to create one with ${create}`,
    });
  return refusalOf.permission_required({
    ...needed,
    holder: 'This key',
    otherwise: `add ${permission} to this one with ${update}`,
  });
}
