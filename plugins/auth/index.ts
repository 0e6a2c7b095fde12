import { definePlugin } from '#core/kernel/plugin.js';
import { need } from '#core/kernel/provision.js';
import { directory } from '#plugins/account/ports.js';
import { deploymentSettings } from './deployment-settings.js';
import { errors } from './errors.js';
import { events } from './events.js';
import settingsGet from './operations/settings/get.js';
import settingsReset from './operations/settings/reset.js';
import settingsSet from './operations/settings/set.js';
import { signInTexts } from './ports.js';
import { userSessions } from './sessions/find-user.js';
import { noTexts } from './settings/no-texts.js';
import { challenges } from './tables/challenge.js';
import { devices } from './tables/device.js';
import { factors } from './tables/factor.js';
import { handoffs } from './tables/handoff.js';
import { identities } from './tables/identity.js';
import { oauthApps } from './tables/oauth-app.js';
import { oauthStates } from './tables/oauth-state.js';
import { orgInvites } from './tables/org-invite.js';
import { orgMembers } from './tables/org-member.js';
import { organizations } from './tables/organization.js';
import { passkeys } from './tables/passkey.js';
import { passwords } from './tables/password.js';
import { recoveryCodes } from './tables/recovery-code.js';
import { sessions } from './tables/session.js';
import { authSettings } from './tables/settings.js';
import { signingKeys } from './tables/signing-key.js';
import { users } from './tables/user.js';

export default definePlugin({
  name: 'auth',
  summary: 'Sign-in for your end users: methods, sessions, second factors, organizations.',
  groups: {
    settings: 'How people sign in to the environment: methods, limits, lifetimes, redirect addresses.',
  },
  needs: [need(directory), need(signInTexts, noTexts)],
  tables: [
    users,
    identities,
    passwords,
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
    orgInvites,
    authSettings,
    signingKeys,
  ],
  operations: [settingsGet, settingsReset, settingsSet],
  events,
  errors,
  settings: deploymentSettings,
  authenticators: userSessions,
});
