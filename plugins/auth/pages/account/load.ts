import type { ReplyOf } from '#core/kernel/operation.js';
import { SvcError } from '#core/kernel/errors/errors.js';
import { userApps, type UserApp } from '../../openid/user-apps.js';
import factorList from '../../operations/factor/list.js';
import meGet from '../../operations/me/get.js';
import orgMine from '../../operations/org/mine.js';
import passkeyList from '../../operations/passkey/list.js';
import mine from '../../operations/session/mine.js';
import signinMethods from '../../operations/signin/methods.js';
import { loadSettings } from '../../settings/load.js';
import type { SignedInVisit } from '../signed-in.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes, idText } from '#core/runtime/id.js';

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
    /** The apps that may use the account, with their names. */
    apps: (UserApp & { name: string })[];
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
    const [{ passkeys }, { sessions }, { organizations }, { recoveryCodesLeft }, used] = await Promise.all([
      page.call(passkeyList, input, visit.options),
      page.call(mine, input, visit.options),
      page.call(orgMine, input, visit.options).catch(noneWhereOff),
      page.call(factorList, input, visit.options),
      userApps(services.database, me.user.id, services.clock.now()),
    ]);
    const apps = used.flatMap((each) => {
      const app = Object.hasOwn(settings.apps, each.appId) ? settings.apps[each.appId] : undefined;
      return app ? [{ ...each, name: app.name }] : [];
    });
    return { ...found, more: { passkeys, sessions, organizations, recoveryCodesLeft, apps } };
  } catch (error) {
    if (error instanceof SvcError && error.code === 'mfa_required') return { ...found, more: null };
    throw error;
  }
}

/** An organization of which a user is the only owner. */
interface SoleOwnership {
  id: string;
  name: string;
  /** Whether it has other members. */
  hasOthers: boolean;
}

/** The organizations of which a user is the only owner, by name. */
async function soleOwnerships(db: ReadSession, userId: string): Promise<SoleOwnership[]> {
  const rows = await db.rows<{ id: Buffer; name: string; member_count: number }>(
    `SELECT o.id, o.name, o.member_count FROM auth_org_member m JOIN auth_organization o ON o.id = m.organization_id
     WHERE m.user_id = ? AND m.role = 'owner' AND NOT EXISTS (
       SELECT 1 FROM auth_org_member other
       WHERE other.organization_id = m.organization_id AND other.role = 'owner' AND other.user_id <> m.user_id)
     ORDER BY o.name_key, o.id`,
    [idBytes(userId)],
  );
  return rows.map(({ id, name, member_count: members }) => ({ id: idText(id), name, hasOthers: members > 1 }));
}
