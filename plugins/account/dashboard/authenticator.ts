import type { Authenticator, FoundMember } from '#core/kernel/caller/authenticator.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import type { Services } from '#core/kernel/services.js';
import { isId } from '#core/runtime/id-form.js';
import { dashboardSessions, type DashboardSessions } from '#plugins/auth/ports.js';
import { proveAddress } from '../members/first-proof.js';
import { dashboard } from '../ports.js';
import { environmentChoices, memberIn, type ActingMember } from './acting-members.js';

/** The form of an access token: a JWT in compact serialization (RFC 7515 §3.1). */
const tokenForm = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * The kernel's `findSession`. An access token of the dashboard's environment belongs to a user, whose proven addresses
 * are those of members. Nothing is cached: if a member is removed or lowered, or a session ends, this takes effect with
 * the next request on every node.
 */
export const dashboardAuthenticator = (services: Services): Authenticator => ({
  async findSession(token, environmentId, operation) {
    if (!tokenForm.test(token)) return null;
    const found = await services.read('Dashboard session', async ({ use, db }) => {
      const { products } = services.deployment;
      const own = await use(dashboard).environment();
      if (!own) return null;
      const session = await use(dashboardSessions).find(own, token);
      if (!session || session.impersonated) throw refusalOf.token_invalid();
      const { verifiedEmails, lacksRequiredFactor } = session;
      // Check this before anything about environments: their names and ids are only for people who have passed the
      // second factor.
      if (lacksRequiredFactor) throw refusalOf.mfa_required({ operation });
      if (environmentId === undefined) {
        const environments = await environmentChoices(db, verifiedEmails, own);
        throw refusalOf.environment_required({ details: { environments } });
      }
      // An id in another form reads like one that does not exist.
      const member = isId(environmentId) ? await memberIn(db, verifiedEmails, environmentId, own, products) : null;
      if (!member) throw notYours();
      return member;
    });
    if (!found) return null;
    // A person who opened an account by signup proves the address by signing in with it.
    if (!found.provenAt) await proveAddress(services, found.id);
    return presented(found);
  },
});

/** Used if auth is not enabled: nobody is signed in. */
export const noSessions = (): DashboardSessions => ({ find: async () => null });

const notYours = (): Error =>
  refusalOf.forbidden({
    problem: 'you are not an active member of the account that owns the environment in Svc-Environment',
    nextStep:
      'Call without Svc-Environment: details.environments of the error lists the environments that you may act in.',
  });

const presented = ({ id, email, role, permissions, environment }: ActingMember): FoundMember => ({
  memberId: id,
  email,
  role,
  permissions,
  updateOperation: 'account.member.role.set',
  environment,
});
