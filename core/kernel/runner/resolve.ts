import { sha256 } from '#core/runtime/secrets/digest.js';
import { refusalOf } from '../errors/common.js';
import type { SvcError } from '../errors/errors.js';
import type { Operation } from '../operation.js';
import { permissionOf, testRefusal } from '../operation.js';
import type { Caller, RequestFacts, TenantCaller } from '../caller/caller.js';
import type { Authenticator, Credentials, FoundKey } from '../caller/authenticator.js';
import { publicPermission, limitToRole, permissionsGranted, type Grant } from '../caller/permissions.js';
import { permissionRefusal } from '../caller/permission-refusal.js';

/** Credentials, with the operation that is called. */
export interface CallCredentials extends Credentials {
  /** For messages: an operation's name, or MCP. */
  operation: string;
  /** SHA-256 of the bearer, if it is known. */
  digest?: Buffer;
}

const keyForm = /^svc_(live|test)_[A-Za-z0-9]{42,43}$/;

/**
 * Resolves the bearer into a caller.
 * @param enabled the deployment's products, which limit the permissions of a dashboard session's role
 * @throws unauthenticated, origin_not_allowed, and the errors of `findSession`
 */
export async function resolveBearer(
  credentials: CallCredentials,
  lookup: Authenticator,
  enabled: readonly string[],
): Promise<TenantCaller> {
  const { digest, bearer, environmentId, operation, request } = credentials;
  if (bearer === undefined) throw refusalOf.unauthenticated({ problem: 'the request has no Authorization header' });
  if (bearer === '') throw refusalOf.unauthenticated({ problem: 'the Authorization header holds no Bearer token' });
  if (keyForm.test(bearer)) {
    const found = (await lookup.findKey?.(digest ?? sha256(bearer))) ?? null;
    if (!found) throw refusalOf.unauthenticated({ problem: 'the key is not known here' });
    if (found.revoked) throw refusalOf.unauthenticated({ problem: 'the key is revoked' });
    return keyCaller(found, request);
  }
  const member = (await lookup.findSession?.(bearer, environmentId, operation)) ?? null;
  if (!member) throw refusalOf.unauthenticated({ problem: 'the bearer is neither a key nor a dashboard session' });
  return {
    kind: 'member',
    id: member.memberId,
    label: member.email,
    role: member.role,
    permissions: new Set(permissionsGranted(member, enabled)),
    environment: member.environment,
    lineage: member.memberId,
    memberId: member.memberId,
    updateOperation: member.updateOperation,
    createOperation: null,
    publishable: false,
    user: null,
    request,
  };
}

function keyCaller(found: FoundKey, request: RequestFacts): TenantCaller {
  const { allowedOrigins } = found;
  if (found.publishable && allowedOrigins && request.origin !== null && !allowedOrigins.includes(request.origin)) {
    throw refusalOf.origin_not_allowed({ origin: request.origin, update: found.updateOperation });
  }
  return {
    kind: 'key',
    id: found.id,
    label: found.name,
    role: found.role,
    permissions: new Set(found.publishable ? [publicPermission] : limitToRole(found.role, found.permissions)),
    environment: found.environment,
    lineage: found.lineage,
    memberId: found.memberId,
    updateOperation: found.updateOperation,
    createOperation: found.createOperation,
    publishable: found.publishable,
    user: null,
    request,
  };
}

/**
 * Whether the caller is the deployment's operator. The operator uses a live key of the first account, with the role
 * owner.
 */
export const isOperator = ({ environment, role }: TenantCaller): boolean =>
  environment.operator && environment.kind === 'live' && role === 'owner';

/**
 * Whether the caller's project is archived and the operation is closed to it: every one for keys; for members, who can
 * still read it, administer the account and unarchive it, the writes in the project.
 */
const isRefusedInArchive = ({ impact, accountWide }: Operation, { kind, environment }: TenantCaller): boolean =>
  environment.archivedAt !== null && (kind === 'key' || (kind === 'member' && !impact.read && accountWide !== true));

/**
 * Why this caller may not call the operation: project_archived, secret_key_required, publishable_key_required,
 * operator_only, permission_required (naming the permission), live_only or owner_only.
 * @returns undefined if it may
 */
export function accessRefusal(operation: Operation, caller: Caller): SvcError | undefined {
  const { name, access } = operation;
  if (access === 'public' || caller.kind === 'public' || caller.kind === 'system') return undefined;
  if (isRefusedInArchive(operation, caller)) return refusalOf.project_archived();
  const forPublishable = access === 'publishable' || access === 'user';
  if (forPublishable && !caller.publishable) return refusalOf.publishable_key_required({ operation: name });
  if (!forPublishable && caller.publishable) return refusalOf.secret_key_required({ operation: name });
  if (access === 'operator' && !isOperator(caller)) return refusalOf.operator_only({ operation: name });
  const permission = permissionOf(operation);
  if (permission !== null && !caller.permissions.has(permission)) return permissionRefusal(caller, permission, name);
  if (isRefusedInTest(operation, caller)) return refusalOf.live_only({ operation: name });
  return operation.ownerOnly && caller.role !== 'owner' ? refusalOf.owner_only() : undefined;
}

function isRefusedInTest(operation: Operation, { kind, environment }: TenantCaller): boolean {
  if (environment.kind === 'live') return false;
  const refused = testRefusal(operation);
  return refused === 'everyone' || (refused === 'keys' && kind === 'key');
}

/** @throws the refusal of a caller that may not call the operation */
export function authorise(operation: Operation, caller: Caller): void {
  const refusal = accessRefusal(operation, caller);
  if (refusal) throw refusal;
}

/**
 * The permissions of a grant that the caller does not hold: a caller may not grant more than it holds.
 * @param enabled the deployment's products: disabled products grant no permissions, and the first keys do not list them
 */
export function lackingFor(caller: TenantCaller, grant: Grant, enabled: readonly string[]): string[] {
  return permissionsGranted(grant, enabled).filter((permission) => !caller.permissions.has(permission));
}
