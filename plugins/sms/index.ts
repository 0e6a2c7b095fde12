import { definePlugin } from '#core/kernel/plugin.js';
import { need, provide } from '#core/kernel/provision.js';
import { holdWhenClosed } from '#core/messaging/broadcasts/closure.js';
import { audienceQueue } from '#core/messaging/broadcasts/count-audiences.js';
import { holdsOf } from '#core/messaging/broadcasts/past-due.js';
import { messageRetention } from '#core/messaging/message-retention.js';
import { contentRetention } from '#core/messaging/content-retention.js';
import { statJobsOf } from '#core/messaging/stats/jobs.js';
import { dashboard, directory } from '#plugins/account/ports.js';
import {
  allowAll,
  contacts as audienceContacts,
  audienceReferences,
  noContacts,
  noSuppressions,
  noTextChoices,
  noReferences,
  recipients as audienceRecipients,
  suppressions,
  textChoices,
} from '#plugins/audience/ports.js';
import { signInTexts } from '#plugins/auth/ports.js';
import { automationNames, noAutomations } from '#plugins/email/ports.js';
import { goodStanding, metering, noFees, noMetering, passThroughFees, standings } from '#plugins/billing/ports.js';
import { statusCallback } from './callbacks/status.js';
import { makeAutomationTexts } from './automations/port.js';
import { smsBroadcasts } from './broadcasts/kind.js';
import { deploymentSettings } from './deployment/settings.js';
import { messagingErrors } from '#core/messaging/errors.js';
import { errors } from './errors.js';
import { eraser } from './eraser.js';
import { events } from './events.js';
import { inboundCallback } from './inbound/callback.js';
import { replyTemplates } from './inbound/reply-templates.js';
import { inboundJobs } from './inbound/retention.js';
import inboundList from './operations/inbound/list.js';
import registrationGet from './operations/registration/get.js';
import registrationSubmit from './operations/registration/submit.js';
import broadcastCancel from './operations/broadcast/cancel.js';
import broadcastCreate from './operations/broadcast/create.js';
import broadcastGet from './operations/broadcast/get.js';
import broadcastList from './operations/broadcast/list.js';
import broadcastPause from './operations/broadcast/pause.js';
import broadcastResume from './operations/broadcast/resume.js';
import broadcastSend from './operations/broadcast/send.js';
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
import { smsDriver } from './messages/driver.js';
import { numberJobs } from './numbers/jobs.js';
import { waitingBroadcasts } from './broadcasts/outgoing.js';
import { waitingTexts } from './messages/outgoing.js';
import { numberOrders, registrationSteps } from './numbers/outgoing.js';
import { numberWork } from './numbers/queue.js';
import numberAssign from './operations/number/assign.js';
import numberList from './operations/number/list.js';
import numberRelease from './operations/number/release.js';
import { phonePage } from './pages/phone/page.js';
import { registrationWork } from './registrations/queue.js';
import { makeOpenWork } from './numbers/open-work.js';
import { automationTexts, smsBroadcastHolds, smsOpenWork } from './ports.js';
import { quietHoursWork } from './quiet-hours/changed.js';
import { startProblems, startupNotices } from './startup-notices.js';
import { makeSignInTexts } from './system-texts/queue-text.js';
import { attempts } from './tables/attempt.js';
import { broadcastAudiences, broadcastCounts, broadcasts } from './tables/broadcast.js';
import { contents } from './tables/content.js';
import { inbounds } from './tables/inbound.js';
import { lastTexts } from './tables/last-text.js';
import { messages } from './tables/message.js';
import { numbers } from './tables/number.js';
import { recipients } from './tables/recipient.js';
import { registrations } from './registration-data/table.js';
import { reports } from './tables/report.js';
import { settingsTable } from './settings/table.js';
import { statChanges, stats, statTables } from './tables/stat.js';
import { templateContents, templates, templateVersions } from './tables/template.js';
import { references } from './tables/reference.js';

export default definePlugin({
  name: 'sms',
  summary: 'Text messages, templates, broadcasts, numbers, carrier registration, received messages and statistics.',
  groups: {
    inbound: 'Received text messages, and what their keywords did.',
    registration: 'The registration that carriers require before they accept a business’s messages.',
    broadcast: 'Text messages to everyone who granted a topic by SMS: drafts, sending, progress.',
    message: 'Sent and queued text messages: their status and delivery attempts.',
    number: 'The phone numbers that you send and receive messages with.',
    settings: 'The environment’s default number, quiet hours, keywords and their replies.',
    stats: 'How many messages have which status, and their segments.',
    template: 'Message content in versions and languages: the project’s own templates and the system templates.',
    'template.draft': 'Unpublished changes to a template.',
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
    need(audienceReferences, noReferences),
    need(standings, goodStanding),
    need(automationNames, noAutomations),
  ],
  systemTemplates: Object.values(replyTemplates),
  provides: [
    provide(signInTexts, makeSignInTexts),
    provide(smsOpenWork, makeOpenWork),
    provide(smsBroadcastHolds, holdsOf(smsBroadcasts)),
    provide(automationTexts, makeAutomationTexts),
  ],
  settings: deploymentSettings,
  tables: [
    messages,
    contents,
    recipients,
    attempts,
    templates,
    templateVersions,
    templateContents,
    references,
    broadcasts,
    broadcastCounts,
    broadcastAudiences,
    stats,
    statChanges,
    settingsTable,
    numbers,
    registrations,
    reports,
    inbounds,
    lastTexts,
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
    broadcastCreate,
    broadcastGet,
    broadcastList,
    broadcastSend,
    broadcastPause,
    broadcastResume,
    broadcastCancel,
  ],
  events,
  errors: { ...messagingErrors, ...errors },
  callbacks: [inboundCallback, statusCallback],
  pages: [phonePage],
  consumes: [holdWhenClosed(smsBroadcasts)],
  consequences: {
    'account.closed': ['sms.broadcast.paused'],
    'account.reopened': ['sms.cancelled'],
    'email.automation.activated': ['sms.automation.sent', 'sms.automation.suppressed'],
  },
  eraser,
  jobs: (services) => [
    contentRetention(services, smsDriver),
    messageRetention(services, smsDriver),
    ...inboundJobs(services),
    ...numberJobs(services),
    ...statJobsOf(services, 'sms', statTables),
  ],
  outgoing: [waitingTexts, waitingBroadcasts, numberOrders, registrationSteps],
  // Imported here, so that a process that only answers calls never loads the code that sends texts.
  work: async (services) => [
    audienceQueue(services, smsBroadcasts),
    ...(await import('./delivery/queue.js')).deliveryQueues(services),
    numberWork(services),
    registrationWork(services),
    quietHoursWork(services),
  ],
  startProblems,
  startupNotices,
});
