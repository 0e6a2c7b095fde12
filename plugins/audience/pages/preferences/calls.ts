import type { PageRequest } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { oneClick } from '../../preferences/one-click.js';

/** One-click unsubscribe. @throws what it refuses with */
export async function unsubscribe(services: Services, { request }: PageRequest, token: string): Promise<void> {
  await services.call({
    operation: oneClick,
    input: { token },
    bearer: undefined,
    idempotencyKey: undefined,
    environmentId: undefined,
    request,
  });
}
