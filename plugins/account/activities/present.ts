import { presentActivity, type ActivityRow, type ActivityValue } from '#core/kernel/audit/resource.js';
import type { TenantCaller } from '#core/kernel/caller/caller.js';
import { productOf, readableProducts } from '#core/kernel/caller/permissions.js';

/**
 * Converts audit records to their resource, for a caller. The summary and the changes of an operation contain the same
 * data as its product's reads, such as users and their addresses. If the caller may not read that product, only what
 * was called, by whom, when and on what remains.
 * @param enabled the deployment's products
 */
export function activityPresenter(
  { permissions }: Pick<TenantCaller, 'permissions'>,
  enabled: readonly string[],
): (row: ActivityRow) => ActivityValue {
  const readable = readableProducts(permissions, enabled);
  return (row) => {
    const activity = presentActivity(row);
    const product = productOf(activity.operation);
    return readable === null || readable.includes(product) ? activity : withoutDetails(activity, product);
  };
}

function withoutDetails(activity: ActivityValue, product: string): ActivityValue {
  const { operation, actor } = activity;
  return {
    ...activity,
    // The label of a user is their address.
    actor: actor.kind === 'user' ? { ...actor, label: actor.id } : actor,
    summary: `Called ${operation}. The details require ${product}:read.`,
    changes: [],
    // Calls of sign-in pages and apps come from the device of a person.
    ip: '',
    userAgent: null,
  };
}
