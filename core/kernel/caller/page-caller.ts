import type { TenantCaller, Visitor } from './caller.js';
import { publicPermission } from './permissions.js';

/** The caller on behalf of a page's visitor: bound to the page's environment, with a publishable key's permissions. */
export const pageCaller = ({ environment, request }: Visitor): TenantCaller => ({
  kind: 'page',
  id: 'page',
  label: 'Hosted page',
  role: 'viewer',
  permissions: new Set([publicPermission]),
  environment,
  lineage: 'page',
  memberId: null,
  updateOperation: '',
  createOperation: null,
  publishable: true,
  user: null,
  request,
});
