import type { RequestFacts } from '#core/kernel/caller/caller.js';
import { pathOf, type Operation } from '#core/kernel/operation.js';
import type { PageCall, PageCallOptions } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { at } from '#core/runtime/json.js';

/** The implementation of `page.call` for one request. */
export function pageCallFor(services: Services, request: RequestFacts): PageCall;
export function pageCallFor(services: Services, request: RequestFacts): unknown {
  return async (operation: Operation | string, input: unknown, options: PageCallOptions = {}): Promise<unknown> => {
    const name = typeof operation === 'string' ? operation : operation.name;
    const answer = await services.call({
      // As this deployment has it: fields that need another product are absent without that one.
      operation: services.catalogue.at(pathOf(name)),
      input,
      bearer: undefined,
      idempotencyKey: options.idempotencyKey,
      environmentId: undefined,
      request: options.via === undefined ? request : { ...request, via: options.via },
      inProcess: { environment: options.environment, limits: options.limits },
    });
    const envelope: unknown = JSON.parse(answer.body);
    return at(envelope, 'result');
  };
}
