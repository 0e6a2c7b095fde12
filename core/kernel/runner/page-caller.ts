import type { Operation } from '../operation.js';
import type { Caller, Environment, RequestFacts } from '../caller/caller.js';
import { publicPermission } from '../caller/permissions.js';

/**
 * The caller of an in-process call from a hosted page: bound to the page's environment, with the permissions of a
 * publishable key.
 * @throws Error for operations that need a secret key, and for a missing environment: both are bugs of the page
 */
export function pageCaller(operation: Operation, environment: Environment | undefined, request: RequestFacts): Caller {
  const { name, access } = operation;
  if (access === 'public') return { kind: 'public', request };
  if (access === 'secret' || access === 'operator')
    throw new Error(`${name} needs a secret key: a page cannot call it.`);
  if (!environment) throw new Error(`A page called ${name} without naming an environment.`);
  return {
    kind: 'page',
    id: 'page',
    label: 'Hosted page',
    role: 'viewer',
    permissions: new Set([publicPermission]),
    environment,
    lineage: 'page',
    memberId: null,
    updateOperation: '',
    publishable: true,
    user: null,
    request,
  };
}
