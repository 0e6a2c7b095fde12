import { definePlugin } from '#core/kernel/plugin.js';
import { need, provide } from '#core/kernel/provision.js';
import { dashboard, directory } from '#plugins/account/ports.js';
import {
  allowAll,
  contacts as audienceContacts,
  noContacts,
  noSuppressions,
  noTextChoices,
  recipients as audienceRecipients,
  suppressions,
  textChoices,
} from '#plugins/audience/ports.js';
import { signInTexts } from '#plugins/auth/ports.js';
import { metering, noFees, noMetering, passThroughFees } from '#plugins/billing/ports.js';
import { statusCallback } from './callbacks/status.js';
import { deploymentSettings } from './deployment-settings.js';
import { errors } from './errors.js';
import { eraser } from './eraser.js';
import { events } from './events.js';
import { inboundCallback } from './inbound/callback.js';
import { replyTemplates } from './inbound/replies/templates.js';
import { inboundJobs } from './inbound/retention.js';
import inboundList from './operations/inbound/list.js';
import registrationGet from './operations/registration/get.js';
import registrationSubmit from './operations/registration/submit.js';
import estimate from './operations/estimate.js';
import messageCancel from './operations/message/cancel.js';
import messageGet from './operations/message/get.js';
import messageList from './operations/message/list.js';
import send from './operations/send.js';
import settingsGet from './operations/settings/get.js';
import settingsReset from './operations/settings/reset.js';
import settingsSet from './operations/settings/set.js';
import statsGet from './operations/stats/get.js';
import templateDelete from './operations/template/delete.js';
import templateDraftSave from './operations/template/draft/save.js';
import templateGet from './operations/template/get.js';
import templateList from './operations/template/list.js';
import templatePublish from './operations/template/publish.js';
import { numberJobs } from './numbers/jobs.js';
import { numberWork } from './numbers/queue.js';
import numberAssign from './operations/number/assign.js';
import numberList from './operations/number/list.js';
import numberRelease from './operations/number/release.js';
import { phonePage } from './pages/phone/page.js';
import { registrationWork } from './registrations/queue.js';
import { startProblems, startupNotices } from './startup-notices.js';
import { statJobs } from './stats/jobs.js';
import { makeSignInTexts } from './system-texts/queue-text.js';
import { attempts } from './tables/attempt.js';
import { broadcastCounts, broadcasts } from './tables/broadcast.js';
import { contents } from './tables/content.js';
import { inbounds } from './tables/inbound.js';
import { messages } from './tables/message.js';
import { numbers } from './tables/number.js';
import { recipients } from './tables/recipient.js';
import { registrations } from './tables/registration.js';
import { reports } from './tables/report.js';
import { settingsTable } from './tables/settings.js';
import { statChanges, stats } from './tables/stat.js';
import { templateContents, templates, templateVersions } from './tables/template.js';
import { usages } from './tables/usage.js';

export default definePlugin({
  name: 'sms',
  summary: 'Texts, their templates and broadcasts, numbers, carrier registration, received texts and statistics.',
  groups: {
    inbound: 'Received texts, and what their keywords did.',
    registration: 'What the carriers want to know about a business before they take its texts.',
    message: 'Texts that were sent or are queued: their status and delivery attempts.',
    number: 'Numbers of yours that texts leave from and come to.',
    settings: 'The environment’s default number, quiet hours, keywords and their replies.',
    stats: 'How many texts have which status, and their segments.',
    template: 'What texts say, in versions and languages: the project’s own templates and those of system texts.',
    'template.draft': 'Changes of a template that are not published.',
  },
  needs: [
    need(directory),
    need(dashboard),
    need(audienceContacts, noContacts),
    need(audienceRecipients, allowAll),
    need(suppressions, noSuppressions),
    need(textChoices, noTextChoices),
    need(metering, noMetering),
    need(passThroughFees, noFees),
  ],
  provides: [provide(signInTexts, makeSignInTexts)],
  systemTemplates: Object.values(replyTemplates),
  settings: deploymentSettings,
  tables: [
    messages,
    contents,
    recipients,
    attempts,
    templates,
    templateVersions,
    templateContents,
    usages,
    broadcasts,
    broadcastCounts,
    stats,
    statChanges,
    settingsTable,
    numbers,
    registrations,
    reports,
    inbounds,
  ],
  operations: [
    inboundList,
    send,
    estimate,
    messageGet,
    messageList,
    messageCancel,
    settingsGet,
    settingsSet,
    settingsReset,
    statsGet,
    numberAssign,
    numberList,
    numberRelease,
    registrationGet,
    registrationSubmit,
    templateList,
    templateGet,
    templateDraftSave,
    templatePublish,
    templateDelete,
  ],
  events,
  errors,
  callbacks: [inboundCallback, statusCallback],
  pages: [phonePage],
  eraser,
  jobs: (services) => [...inboundJobs(services), ...numberJobs(services), ...statJobs(services)],
  // Imported here, so that a process that only answers calls never loads what sends texts.
  work: async (services) => [
    ...(await import('./delivery/queue.js')).deliveryQueues(services),
    numberWork(services),
    registrationWork(services),
  ],
  startProblems,
  startupNotices,
});
