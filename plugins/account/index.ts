import { definePlugin } from '#core/kernel/plugin.js';
import { need, provide } from '#core/kernel/provision.js';
import { firstOwners, accountOpener } from '#core/kernel/ports.js';
import { dashboardSessions } from '#plugins/auth/ports.js';
import { emailOpenWork, mailServer, pictureStore, transactionalMail } from '#plugins/email/ports.js';
import { smsOpenWork } from '#plugins/sms/ports.js';
import { dashboardAuthenticator, noSessions } from './dashboard/authenticator.js';
import { errors } from './errors.js';
import { events } from './events.js';
import activityGet from './operations/activity/get.js';
import activityList from './operations/activity/list.js';
import close from './operations/close.js';
import get from './operations/get.js';
import inviteDescribe from './operations/invite/describe.js';
import memberAccept from './operations/member/accept.js';
import memberInvite from './operations/member/invite.js';
import memberList from './operations/member/list.js';
import memberRemove from './operations/member/remove.js';
import memberRoleSet from './operations/member/role/set.js';
import projectCreate from './operations/project/create.js';
import projectList from './operations/project/list.js';
import projectUpdate from './operations/project/update.js';
import reopen from './operations/reopen.js';
import signup from './operations/signup.js';
import themeDraftSave from './operations/theme/draft/save.js';
import themeGet from './operations/theme/get.js';
import themePublish from './operations/theme/publish.js';
import themeReset from './operations/theme/reset.js';
import update from './operations/update.js';
import invitePage from './pages/page.js';
import { deploymentSettings } from './settings.js';
import { setUpDashboard, makeDashboard } from './dashboard/project.js';
import { dashboard, directory } from './ports.js';
import { makeDirectory } from './accounts/directory.js';
import { makeFirstOwners } from './accounts/first-owners.js';
import { noPictures } from './themes/load.js';
import { nothingOpen } from '#core/messaging/broadcasts/open-work.js';
import { inviteTemplate, noMail } from './members/invite-mail.js';
import { makeAccountOpener } from './accounts/open-account.js';
import { accounts } from './tables/account.js';
import { members } from './tables/member.js';
import { projects } from './tables/project.js';
import { proofMail } from './members/proof-mail.js';
import { themes } from './tables/theme.js';

export default definePlugin({
  name: 'account',
  summary: 'Accounts, their projects and members, themes, and the audit log.',
  groups: {
    activity: 'The audit log: who called which operation, when, and what changed.',
    invite: 'Invitations, as the invited person sees them.',
    member: 'The account’s members and their invitations.',
    'member.role': 'What a member may do.',
    project: 'Projects, each with a live and a test environment.',
    theme: 'The theme of hosted pages and system mail.',
    'theme.draft': 'Theme changes that are not published yet.',
  },
  alwaysOn: true,
  needs: [
    need(transactionalMail, noMail),
    need(pictureStore, noPictures),
    need(mailServer, () => ({ isSet: () => false })),
    need(dashboardSessions, noSessions),
    need(emailOpenWork, nothingOpen),
    need(smsOpenWork, nothingOpen),
  ],
  provides: [
    provide(accountOpener, makeAccountOpener),
    provide(firstOwners, makeFirstOwners),
    provide(directory, makeDirectory),
    provide(dashboard, makeDashboard),
  ],
  settings: deploymentSettings,
  tables: [accounts, projects, members, themes],
  operations: [
    signup,
    get,
    update,
    close,
    reopen,
    activityGet,
    activityList,
    themeDraftSave,
    themeGet,
    themePublish,
    themeReset,
    inviteDescribe,
    memberAccept,
    memberInvite,
    memberList,
    memberRemove,
    memberRoleSet,
    projectCreate,
    projectList,
    projectUpdate,
  ],
  events,
  errors,
  systemTemplates: [inviteTemplate, proofMail],
  pages: [invitePage],
  setUp: setUpDashboard,
  authenticators: dashboardAuthenticator,
});
