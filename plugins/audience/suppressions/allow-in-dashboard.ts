import { changesBetween } from '#core/kernel/audit/changes.js';
import type { Context } from '#core/kernel/context.js';
import type { BouncedMail } from '../ports.js';
import { dashboard } from '#plugins/account/ports.js';
import { presentSuppression } from './present.js';
import { activeSuppressions, contactIdOf, liftSuppression } from './store.js';

/** Provides the kernel's port `bouncedMail`. */
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
      unchanged: 'no bounce had suppressed the address.',
      ...(personId === null ? {} : { personId }),
    });
    return lifted !== null;
  },
});
