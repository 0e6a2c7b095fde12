import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { Suppressions } from '../ports.js';
import { addSuppression } from './store.js';

type SuppressionEvent = 'audience.suppression.added';

/**
 * Provides the port `suppressions`. Events go to the given environment, regardless of the one in which the transaction
 * acts.
 */
export function makeSuppressions(context: Context<SuppressionEvent>): Suppressions {
  const contextFor = (environment: Environment): Context<SuppressionEvent> => ({
    ...context,
    emit: (name, event) => context.emit(name, event, environment),
  });
  return {
    async add(environment, suppression) {
      await addSuppression(contextFor(environment), environment.id, suppression);
    },
  };
}
