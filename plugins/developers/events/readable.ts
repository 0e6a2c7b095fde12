import type { TenantCaller } from '#core/kernel/caller/caller.js';
import { permissionRefusal } from '#core/kernel/caller/permission-refusal.js';
import { productOf, readableProducts } from '#core/kernel/caller/permissions.js';
import type { Deployment } from '#core/kernel/deployment.js';

/*
 * Events contain what the reads of their product return, such as users and their addresses. So a caller that reads an
 * event or one of its deliveries, or has it sent to an endpoint, also needs the read permission of its product, in
 * addition to the permission for the log.
 */

/** Whether an event's data may be shown. @param products as `readableProducts` returns them */
export const isReadable = (type: string, products: readonly string[] | null): boolean =>
  products === null || products.includes(productOf(type));

/** What a caller may read in the log. */
interface ReadableEvents {
  /** The products whose events it may read; null for all products. */
  readonly products: readonly string[] | null;
  /**
   * @param types names of events, or `product.*` @throws permission_required for the first one that the caller may not
   *   read
   */
  require(types: readonly string[]): void;
}

/** @param operation the operation that is called, for refusals */
export function readableEvents(
  caller: TenantCaller,
  { products: enabled }: Deployment,
  operation: string,
): ReadableEvents {
  const products = readableProducts(caller.permissions, enabled);
  return {
    products,
    require(types) {
      const hidden = types.find((type) => !isReadable(type, products));
      if (hidden === undefined) return;
      throw permissionRefusal(caller, `${productOf(hidden)}:read`, `${operation} for ${hidden}`);
    },
  };
}
