import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { BouncedMail, Suppressions } from '../ports.js';
import { addSuppression, activeSuppressions, contactIdOf, liftSuppression } from './store.js';
import { changesBetween } from '#core/kernel/audit/changes.js';
import { dashboard } from '#plugins/account/ports.js';
import { presentSuppression } from './present.js';

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

/** Provides the port `bouncedMail`. */
export const makeBouncedMail = (context: Context<'audience.suppression.lifted'>): BouncedMail => ({
  async allowInDashboard(address) {
    const { db, use, actIn, audit } = context;
    const environment = await use(dashboard).environment();
    if (!environment) return null;
    actIn(environment);
    const active = await activeSuppressions(context, environment.id, 'email', address);
    const bounced = active.find(({ reason }) => reason === 'bounce');
    const lifted = bounced ? await liftSuppression(context, bounced) : null;
    const personId = bounced ? await contactIdOf(db, bounced) : null;
    audit({
      operation: 'audience.suppression.lift',
      ...(bounced ? { subject: { type: 'suppression', id: bounced.id } } : {}),
      summary: 'The operator lifted the suppression of an address.',
      changes:
        bounced && lifted ? changesBetween(presentSuppression(bounced), presentSuppression(lifted), ['liftedAt']) : [],
      unchanged: 'the address was not suppressed by a bounce.',
      ...(personId === null ? {} : { personId }),
    });
    return lifted !== null;
  },
});
