import type { ReplyOf } from '#core/kernel/operation.js';
import { SvcError } from '#core/kernel/errors/errors.js';
import factorList from '../../operations/factor/list.js';
import meGet from '../../operations/me/get.js';
import orgMine from '../../operations/org/mine.js';
import passkeyList from '../../operations/passkey/list.js';
import mine from '../../operations/session/mine.js';
import signinMethods from '../../operations/signin/methods.js';
import { soleOwnerships, type SoleOwnership } from '../../organizations/sole-owner.js';
import { loadSettings } from '../../settings/load.js';
import type { SignedInVisit } from '../signed-in.js';

/** Everything that the account page shows. */
export interface AccountData {
  me: ReplyOf<typeof meGet>;
  methods: ReplyOf<typeof signinMethods>['methods'];
  /** The organizations of which the person is the only owner. */
  soleOwnerships: SoleOwnership[];
  /** Whether people may delete their accounts. */
  selfDelete: boolean;
  /** The minimum length of a new password, in characters. */
  passwordLength: number;
  /** The folded form that is open, by its action: see `afterProblem` (page.ts). */
  open: string | null;
  /** Null if the session may see only what it needs to set up a required second factor. */
  more: {
    passkeys: ReplyOf<typeof passkeyList>['passkeys'];
    sessions: ReplyOf<typeof mine>['sessions'];
    organizations: ReplyOf<typeof orgMine>['organizations'];
    recoveryCodesLeft: number;
  } | null;
}

/** The signed-in person. @throws token_invalid */
export async function ownUser({ page, visit, accessToken }: SignedInVisit): Promise<AccountData['me']['user']> {
  return (await page.call(meGet, { accessToken }, visit.options)).user;
}

/** The dashboard's environment has no organizations. */
function noneWhereOff(error: unknown): Pick<ReplyOf<typeof orgMine>, 'organizations'> {
  if (error instanceof SvcError && error.code === 'feature_disabled') return { organizations: [] };
  throw error;
}

/** Reads what the account page shows. @throws token_invalid and other refusals of the operations */
export async function loadAccount({ page, visit, services, accessToken }: SignedInVisit): Promise<AccountData> {
  const input = { accessToken, limit: 100 };
  const [me, { methods }, settings] = await Promise.all([
    page.call(meGet, { accessToken }, visit.options),
    page.call(signinMethods, {}, visit.options),
    loadSettings(services.database, visit.environment.id),
  ]);
  const found = {
    me,
    methods,
    soleOwnerships: await soleOwnerships(services.database, me.user.id),
    selfDelete: settings.selfDelete.enabled,
    passwordLength: settings.password.minLength,
    open: page.query.get('open'),
  };
  try {
    const [{ passkeys }, { sessions }, { organizations }, { recoveryCodesLeft }] = await Promise.all([
      page.call(passkeyList, input, visit.options),
      page.call(mine, input, visit.options),
      page.call(orgMine, input, visit.options).catch(noneWhereOff),
      page.call(factorList, input, visit.options),
    ]);
    return { ...found, more: { passkeys, sessions, organizations, recoveryCodesLeft } };
  } catch (error) {
    if (error instanceof SvcError && error.code === 'mfa_required') return { ...found, more: null };
    throw error;
  }
}
