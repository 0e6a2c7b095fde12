import { counted } from '#config/counted.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { Refusal } from '#core/kernel/errors/errors.js';
import { addressGroup } from '#core/kernel/limits/address-group.js';
import { countAgainst } from '#core/kernel/limits/count-against.js';
import { domainOf } from '#core/kernel/schema/email-address.js';
import { idBytes } from '#core/runtime/id.js';
import { dashboard } from '#plugins/account/ports.js';
import type { IdentityFacts } from '../identities/normalize.js';
import type { AuthSettingsValue } from '../settings/resources.js';

const emailsOf = (proven: readonly IdentityFacts[]): string[] =>
  proven.filter(({ kind }) => kind === 'email').map(({ key }) => key);

type RuleContext = Context<never, 'signup_closed' | 'signup_domain_blocked'>;

/** Whether a domain is in the list, or below a domain in it. Both sides are in ASCII and lower case. */
const isBelow = (domain: string, list: readonly string[]): boolean =>
  list.some((each) => domain === each || domain.endsWith(`.${each}`));

/**
 * Whether a person who has just proven these identities may become a user. A blocked domain also blocks its subdomains.
 * An allowed domain allows only itself, because a subdomain may be run by another person.
 * @returns the refusal to return: signup_closed, signup_domain_blocked; null if they may
 */
export async function signupRefusal(
  context: RuleContext,
  environment: Environment,
  { signup }: Pick<AuthSettingsValue, 'signup'>,
  proven: readonly IdentityFacts[],
): Promise<Refusal | null> {
  const { refuse } = context;
  const addresses = emailsOf(proven);
  const isOpen =
    signup.allow === 'anyone' || (signup.allow === 'invited' && (await isInvited(context, environment, addresses)));
  if (!isOpen)
    return refuse.signup_closed({
      nextStep:
        signup.allow === 'invited'
          ? 'Let a member of an organization invite the address (auth.org.invite.create), or create the user with auth.user.create.'
          : 'Create the user with auth.user.create, or set signup.allow with auth.settings.set.',
    });
  const domains = addresses.map(domainOf);
  const blocked = domains.find((domain) => isBelow(domain, signup.blockedDomains));
  if (blocked !== undefined) return refuse.signup_domain_blocked({ domain: blocked });
  if (signup.allowedDomains.length === 0 || domains.some((domain) => signup.allowedDomains.includes(domain)))
    return null;
  const [first] = domains;
  if (first !== undefined) return refuse.signup_domain_blocked({ domain: first });
  return refuse.signup_closed({
    nextStep: 'Sign up with an address at one of the allowed domains (signup.allowedDomains in auth.settings.get).',
  });
}

/** Whether an organization of the environment has an open invitation for one of the addresses. */
async function isInvited(
  { db, clock }: RuleContext,
  environment: Environment,
  addresses: readonly string[],
): Promise<boolean> {
  if (addresses.length === 0) return false;
  const found = await db.rows(
    `SELECT i.id FROM auth_org_invite i JOIN auth_organization o ON o.id = i.organization_id
     WHERE i.environment_id = ? AND i.email_key IN (?) AND i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > ? LIMIT 1`,
    [idBytes(environment.id), addresses.map((address) => Buffer.from(address)), clock.now()],
  );
  return found.length > 0;
}

/** How many times more new users are allowed from one IP address if accounts have invited them. */
const invitedFactor = 10;

/**
 * Counts a user who was just created against the limit of new users per IP address. People who are invited to an
 * account often sign in from one office, so they are counted separately, and more of them are allowed.
 * @param proven the identities of the new user
 * @throws rate_limited, which undoes the creation
 */
export async function countSignup(
  { db, clock, caller, use, fail }: Context,
  environment: Environment,
  { botProtection }: Pick<AuthSettingsValue, 'botProtection'>,
  proven: readonly IdentityFacts[],
): Promise<void> {
  if (!botProtection.enabled) return;
  const { windowSeconds } = botProtection.signupPerIp;
  const invited = (await use(dashboard).includes(environment)) && (await use(dashboard).isInvited(emailsOf(proven)));
  const max = botProtection.signupPerIp.max * (invited ? invitedFactor : 1);
  const from = `${environment.id}:${addressGroup(caller.request.ip)}`;
  const key = invited ? `auth.signup|invited:${from}` : `auth.signup|ip:${from}`;
  const seconds = await countAgainst(db, { key, max, windowSeconds, now: clock.now() });
  if (seconds > 0)
    throw fail.rate_limited({
      limit: `${counted(max, 'new user')} per IP address in ${counted(windowSeconds, 'second')}`,
      seconds,
    });
}
