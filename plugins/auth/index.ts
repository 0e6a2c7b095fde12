import { definePlugin } from '#core/kernel/plugin.js';
import { need, provide } from '#core/kernel/provision.js';
import { dashboard, directory } from '#plugins/account/ports.js';
import { activeUsers, noActiveUsers } from '#plugins/billing/ports.js';
import { transactionalMail } from '#plugins/email/ports.js';
import { deploymentSettings } from './deployment/settings.js';
import { errors } from './errors.js';
import { events } from './events.js';
import deviceApprove from './operations/device/approve.js';
import deviceDeny from './operations/device/deny.js';
import deviceDescribe from './operations/device/describe.js';
import devicePoll from './operations/device/poll.js';
import deviceStart from './operations/device/start.js';
import factorList from './operations/factor/list.js';
import factorRecoveryRegenerate from './operations/factor/recovery/regenerate.js';
import factorRemove from './operations/factor/remove.js';
import factorTotpActivate from './operations/factor/totp/activate.js';
import factorTotpEnroll from './operations/factor/totp/enroll.js';
import identityAdd from './operations/identity/add.js';
import identityPrimarySet from './operations/identity/primary/set.js';
import identityRemove from './operations/identity/remove.js';
import identityVerify from './operations/identity/verify.js';
import linkComplete from './operations/link/complete.js';
import mfaRecover from './operations/mfa/recover.js';
import mfaVerify from './operations/mfa/verify.js';
import oauthAppList from './operations/oauth/app/list.js';
import oauthAppRemove from './operations/oauth/app/remove.js';
import oauthAppSet from './operations/oauth/app/set.js';
import oauthComplete from './operations/oauth/complete.js';
import oauthStart from './operations/oauth/start.js';
import passkeyList from './operations/passkey/list.js';
import passkeyRegisterStart from './operations/passkey/register/start.js';
import passkeyRegisterVerify from './operations/passkey/register/verify.js';
import passkeyRemove from './operations/passkey/remove.js';
import passkeySigninStart from './operations/passkey/signin/start.js';
import passkeySigninVerify from './operations/passkey/signin/verify.js';
import passwordRemove from './operations/password/remove.js';
import passwordSet from './operations/password/set.js';
import passwordSignIn from './operations/password/signin.js';
import meDelete from './operations/me/delete.js';
import meGet from './operations/me/get.js';
import meUpdate from './operations/me/update.js';
import orgCreate from './operations/org/create.js';
import orgDelete from './operations/org/delete.js';
import orgGet from './operations/org/get.js';
import inviteAccept from './operations/org/invite/accept.js';
import inviteCreate from './operations/org/invite/create.js';
import inviteDescribe from './operations/org/invite/describe.js';
import inviteList from './operations/org/invite/list.js';
import inviteRevoke from './operations/org/invite/revoke.js';
import orgLeave from './operations/org/leave.js';
import orgList from './operations/org/list.js';
import memberList from './operations/org/member/list.js';
import memberRemove from './operations/org/member/remove.js';
import memberUpdate from './operations/org/member/update.js';
import orgMine from './operations/org/mine.js';
import orgSwitch from './operations/org/switch.js';
import orgUpdate from './operations/org/update.js';
import sessionExchange from './operations/session/exchange.js';
import sessionList from './operations/session/list.js';
import sessionMine from './operations/session/mine.js';
import sessionRefresh from './operations/session/refresh.js';
import sessionRevoke from './operations/session/revoke.js';
import sessionRevokeMine from './operations/session/revokeMine.js';
import sessionSignout from './operations/session/signout.js';
import sessionVerify from './operations/session/verify.js';
import settingsGet from './operations/settings/get.js';
import settingsReset from './operations/settings/reset.js';
import settingsSet from './operations/settings/set.js';
import userBan from './operations/user/ban.js';
import userCreate from './operations/user/create.js';
import userDelete from './operations/user/delete.js';
import userImport from './operations/user/import.js';
import userGet from './operations/user/get.js';
import userList from './operations/user/list.js';
import userUnban from './operations/user/unban.js';
import userUpdate from './operations/user/update.js';
import signinMethods from './operations/signin/methods.js';
import signinStart from './operations/signin/start.js';
import signinVerify from './operations/signin/verify.js';
import signingKeyList from './operations/signingKey/list.js';
import signingKeyRetire from './operations/signingKey/retire.js';
import signingKeyRotate from './operations/signingKey/rotate.js';
import userImpersonate from './operations/user/impersonate.js';
import { oauthCallbackPage } from './pages/oauth-callback.js';
import { noSignInMail } from './mails/send.js';
import { signInTemplates } from './mails/templates.js';
import { makeUserAddresses } from './identities/addresses.js';
import { dashboardSessions, signInTexts, userAddresses } from './ports.js';
import { makeDashboardSessions } from './sessions/dashboard.js';
import { userSessions } from './sessions/check-token.js';
import { noTexts } from './settings/no-texts.js';
import { retentionJobs } from './retention.js';
import { jwks } from './signing-keys/jwks.js';
import { appSecrets } from './tables/app-secret.js';
import { challenges } from './tables/challenge.js';
import { devices } from './tables/device.js';
import { factors } from './tables/factor.js';
import { handoffs } from './tables/handoff.js';
import { identities } from './tables/identity.js';
import { passwordSchemes } from './tables/password-scheme.js';
import { oauthApps } from './tables/oauth-app.js';
import { oauthStates } from './tables/oauth-state.js';
import { erasedUsers } from './tables/erased-user.js';
import { orgFormerMembers } from './tables/org-former-member.js';
import { consoleEntrance, consoleSession } from './pages/console.js';
import accountPage from './pages/account/page.js';
import devicePage from './pages/device.js';
import orgInvitePage from './pages/invite/page.js';
import leavePage from './pages/leave.js';
import { openidEndpoints } from './pages/openid/endpoint.js';
import openidPage from './pages/openid/page.js';
import linkPage from './pages/link.js';
import signinPage from './pages/signin/page.js';
import { openidApps } from './tables/openid-app.js';
import { openidRecords } from './tables/openid-record.js';
import { orgInvites } from './tables/org-invite.js';
import { orgMembers } from './tables/org-member.js';
import { organizations } from './tables/organization.js';
import { passkeys } from './tables/passkey.js';
import { passwords } from './tables/password.js';
import { recoveryCodes } from './tables/recovery-code.js';
import { sessions } from './tables/session.js';
import { authSettings } from './settings/load.js';
import { signingKeys } from './tables/signing-key.js';
import { userNames } from './tables/user-name.js';
import { users } from './tables/user.js';
import { eraser, findAddressHolder } from './erasure/erase.js';
import { inviteTemplate } from './organizations/invite-mail.js';
import { orgRemovals } from './organizations/removal.js';
import type { WorkerServices } from '#core/kernel/services.js';
import { setHashThreads } from './passwords/hash-pool.js';
import { prepareDashboard } from './settings/dashboard.js';

/** What auth does at each start. See `setUp` in the kernel's plugin.ts. */
async function setUp(services: WorkerServices): Promise<void> {
  setHashThreads(services.deployment.settingsOf(deploymentSettings).passwordThreads);
  await prepareDashboard(services);
}

export default definePlugin({
  name: 'auth',
  summary: 'Sign-in for your end users: methods, sessions, second factors and organizations.',
  groups: {
    factor: 'Second factors of the signed-in user.',
    'factor.recovery': 'One-time codes for users who lose their authenticator app.',
    'factor.totp': 'Codes from an authenticator app.',
    mfa: 'The second step of a sign-in.',
    passkey: 'Passkeys of the signed-in user.',
    'passkey.register': 'Adding a passkey (WebAuthn registration).',
    'passkey.signin': 'Signing in with a passkey (WebAuthn authentication).',
    signin: 'Signing in with a code or a link: list the methods, start, complete.',
    identity: 'The signed-in user’s addresses, phone numbers and provider accounts.',
    'identity.primary': 'The primary address and number, which are shown and receive notices.',
    link: 'Magic links.',
    me: 'The signed-in user: get, update, delete.',
    org: 'Organizations of users: create, switch, leave, delete.',
    'org.invite': 'Email invitations to an organization.',
    'org.member': 'The members of an organization and their roles.',
    session: 'Sessions and their tokens: refresh, verify, list, end.',
    password: 'Signing in with a password, and setting one.',
    device: 'Sign-in of devices and command lines, approved in a browser (RFC 8628).',
    signingKey: 'The keys that sign access tokens.',
    oauth: 'Sign-in with Google, GitHub, Microsoft, Apple, GitLab, LinkedIn or any OpenID Connect issuer.',
    'oauth.app': 'The providers that users of an environment can sign in with.',
    settings: 'How users sign in to the environment: methods, limits, lifetimes and redirect URLs.',
    user: 'End users, managed from a server: create, get, update, ban, delete.',
  },
  needs: [
    need(directory),
    need(dashboard),
    need(signInTexts, noTexts),
    need(transactionalMail, noSignInMail),
    need(activeUsers, noActiveUsers),
  ],
  provides: [provide(dashboardSessions, makeDashboardSessions), provide(userAddresses, makeUserAddresses)],
  tables: [
    users,
    userNames,
    erasedUsers,
    identities,
    passwords,
    passwordSchemes,
    passkeys,
    factors,
    recoveryCodes,
    challenges,
    sessions,
    handoffs,
    devices,
    oauthApps,
    oauthStates,
    organizations,
    orgMembers,
    orgFormerMembers,
    orgInvites,
    authSettings,
    signingKeys,
    appSecrets,
    openidApps,
    openidRecords,
  ],
  operations: [
    deviceApprove,
    deviceDeny,
    deviceDescribe,
    devicePoll,
    deviceStart,
    factorList,
    factorRecoveryRegenerate,
    factorRemove,
    factorTotpActivate,
    factorTotpEnroll,
    identityAdd,
    identityPrimarySet,
    identityRemove,
    identityVerify,
    linkComplete,
    mfaRecover,
    mfaVerify,
    oauthAppList,
    oauthAppRemove,
    oauthAppSet,
    oauthComplete,
    oauthStart,
    passkeyList,
    passkeyRegisterStart,
    passkeyRegisterVerify,
    passkeyRemove,
    passkeySigninStart,
    passkeySigninVerify,
    passwordRemove,
    passwordSet,
    passwordSignIn,
    meDelete,
    meGet,
    meUpdate,
    orgCreate,
    orgDelete,
    orgGet,
    inviteAccept,
    inviteCreate,
    inviteDescribe,
    inviteList,
    inviteRevoke,
    orgLeave,
    orgList,
    memberList,
    memberRemove,
    memberUpdate,
    orgMine,
    orgSwitch,
    orgUpdate,
    sessionExchange,
    sessionList,
    sessionMine,
    sessionRefresh,
    sessionRevoke,
    sessionRevokeMine,
    sessionSignout,
    sessionVerify,
    settingsGet,
    settingsReset,
    settingsSet,
    userBan,
    userCreate,
    userDelete,
    userGet,
    userImport,
    userList,
    userUnban,
    userUpdate,
    signingKeyList,
    signingKeyRetire,
    signingKeyRotate,
    signinMethods,
    signinStart,
    signinVerify,
    userImpersonate,
  ],
  events,
  errors,
  settings: deploymentSettings,
  systemTemplates: [...signInTemplates, inviteTemplate],
  work: (services) => [orgRemovals(services)],
  jobs: retentionJobs,
  pages: [
    signinPage,
    linkPage,
    leavePage,
    oauthCallbackPage,
    devicePage,
    orgInvitePage,
    accountPage,
    openidPage,
    consoleSession,
    consoleEntrance,
  ],
  endpoints: openidEndpoints,
  authenticators: userSessions,
  userRefusals: ['user_banned'],
  eraser,
  findAddressHolder,
  resources: [jwks],
  setUp,
  startupNotices: ({ deployment }) =>
    deployment.products.includes('email')
      ? []
      : ['sign-in    codes and links cannot be sent by email. To enable them, add email to SVC_PRODUCTS.'],
});
