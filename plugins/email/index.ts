import { definePlugin } from '#core/kernel/plugin.js';
import { need, provide } from '#core/kernel/provision.js';
import { holdWhenClosed } from '#core/messaging/broadcasts/closure.js';
import { audienceQueue } from '#core/messaging/broadcasts/count-audiences.js';
import { holdsOf } from '#core/messaging/broadcasts/past-due.js';
import { messageRetention } from '#core/messaging/message-retention.js';
import { contentRetention } from '#core/messaging/content-retention.js';
import { statJobsOf } from '#core/messaging/stats/jobs.js';
import { directory } from '#plugins/account/ports.js';
import { goodStanding, metering, noMetering, standings } from '#plugins/billing/ports.js';
import { bouncedMail, refusedMail } from './broadcasts/mail-texts.js';
import { emailBroadcasts } from './broadcasts/kind.js';
import { readImage } from './images/input.js';
import { imageUrl } from './images/resources.js';
import { storeImages } from './images/store.js';
import { imageResource } from './images/serve.js';
import { imageParts, images } from './tables/image.js';
import { startProblems, startupNotices } from './startup-notices.js';
import { makeDomainKeyCommands } from './domains/key-commands.js';
import { failedMail, newKeysMail, newRecordsMail, pendingMail, unsignedMail } from './domains/mail-texts.js';
import { emailCallback } from './callbacks/callback.js';
import { messagingErrors } from '#core/messaging/errors.js';
import { errors } from './errors.js';
import { events } from './events.js';
import batchSend from './operations/batch/send.js';
import domainAdd from './operations/domain/add.js';
import domainGet from './operations/domain/get.js';
import domainList from './operations/domain/list.js';
import domainReceivingDisable from './operations/domain/receiving/disable.js';
import domainReceivingEnable from './operations/domain/receiving/enable.js';
import domainRemove from './operations/domain/remove.js';
import domainVerify from './operations/domain/verify.js';
import inboundAttachmentGet from './operations/inbound/attachment/get.js';
import inboundDelete from './operations/inbound/delete.js';
import inboundGet from './operations/inbound/get.js';
import inboundList from './operations/inbound/list.js';
import broadcastCancel from './operations/broadcast/cancel.js';
import broadcastCreate from './operations/broadcast/create.js';
import broadcastGet from './operations/broadcast/get.js';
import broadcastList from './operations/broadcast/list.js';
import broadcastPause from './operations/broadcast/pause.js';
import broadcastResume from './operations/broadcast/resume.js';
import broadcastSend from './operations/broadcast/send.js';
import broadcastUpdate from './operations/broadcast/update.js';
import automationActivate from './operations/automation/activate.js';
import automationArchive from './operations/automation/archive.js';
import automationCreate from './operations/automation/create.js';
import automationGet from './operations/automation/get.js';
import automationList from './operations/automation/list.js';
import automationPause from './operations/automation/pause.js';
import automationRunCancel from './operations/automation/run/cancel.js';
import automationRunGet from './operations/automation/run/get.js';
import automationRunList from './operations/automation/run/list.js';
import automationUpdate from './operations/automation/update.js';
import messageCancel from './operations/message/cancel.js';
import messageGet from './operations/message/get.js';
import messageList from './operations/message/list.js';
import send from './operations/send.js';
import senderGet from './operations/sender/get.js';
import senderSet from './operations/sender/set.js';
import templateDelete from './operations/template/delete.js';
import templateDraftSave from './operations/template/draft/save.js';
import templateGet from './operations/template/get.js';
import templateList from './operations/template/list.js';
import templatePreview from './operations/template/preview.js';
import templatePublish from './operations/template/publish.js';
import statsGet from './operations/stats/get.js';
import { ingestCallback } from './inbound/ingest/callback.js';
import { inboundJobs } from './inbound/retention.js';
import { runJobs } from './automations/runs/retention.js';
import { smtpPorts, smtpReceivers } from './inbound/smtp/listener.js';
import { submissionPorts, submissionServers } from './submission/listener.js';
import { mailboxPage } from './pages/mailbox/page.js';
import {
  allowAll,
  audienceReferences,
  contacts as audienceContacts,
  eventTriggers,
  noContacts,
  noSuppressions,
  noReferences,
  recipients as audienceRecipients,
  suppressions,
} from '#plugins/audience/ports.js';
import { noUsers, userAddresses } from '#plugins/auth/ports.js';
import { automationSteps } from './automations/runs/outgoing.js';
import { waitingBroadcasts } from './broadcasts/outgoing.js';
import { waitingMail } from './messages/outgoing.js';
import { eventTrigger } from './automations/triggers/events.js';
import { makeEventTriggers } from './automations/triggers/enrol.js';
import { makeOpenWork } from './automations/open-work.js';
import {
  automationNames,
  domainKeyCommands,
  emailBroadcastHolds,
  emailOpenWork,
  mailServer,
  pictureStore,
  transactionalMail,
} from './ports.js';
import { makeTransactionalMail } from './system-mail/queue-mail.js';
import { automationTexts, noAutomationTexts } from '#plugins/sms/ports.js';
import { settings } from './deployment/settings.js';
import { attachmentParts } from './tables/attachment-part.js';
import { chunkJournal } from './tables/chunk-journal.js';
import { attachments } from './tables/attachment.js';
import { attempts } from './tables/attempt.js';
import { broadcastAudiences, broadcastCounts, broadcasts } from './tables/broadcast.js';
import { automations, enrolments, history, runs } from './tables/automation.js';
import { contents } from './tables/content.js';
import { domainKeys } from './tables/domain-key.js';
import { domains } from './tables/domain.js';
import { inboundAddresses } from './tables/inbound-address.js';
import { inboundAttachments } from './tables/inbound-attachment.js';
import { inboundContents } from './tables/inbound-content.js';
import { inboundParts } from './tables/inbound-part.js';
import { inbounds } from './tables/inbound.js';
import { messages } from './tables/message.js';
import { recipients } from './tables/recipient.js';
import { relays, retries } from './tables/retry.js';
import { reports } from './tables/report.js';
import { senders } from './tables/sender.js';
import { softBounces } from './tables/soft-bounce.js';
import { statChanges, stats, statTables } from './tables/stat.js';
import { tags } from './tables/tag.js';
import { templateContents, templates, templateVersions } from './tables/template.js';
import { references } from './tables/reference.js';
import { emailDriver } from './messages/driver.js';
import { eraser } from './eraser.js';
import { relayJobs } from './delivery/relay-recovery.js';
import { softBounceJobs } from './bounces/soft-bounces.js';

export default definePlugin({
  name: 'email',
  summary: 'Templates, single messages, broadcasts, automations, sending domains, received mail and statistics.',
  groups: {
    batch: 'Several different messages in one call.',
    domain: 'Your sending domains: their DNS records, and whether these resolve.',
    'domain.receiving': 'Whether a domain receives inbound mail.',
    inbound: 'Received mail: its content, its attachments, and whether the sender is authentic.',
    'inbound.attachment': 'Attachments of received mail.',
    broadcast: 'Messages to everyone who granted a topic: drafts, sending, progress.',
    automation: 'Steps that each contact goes through after an event.',
    'automation.run': 'Single contacts’ runs through automations: their current step and their history.',
    message: 'Sent and queued messages: their status, content and delivery attempts.',
    stats: 'How many messages have which status.',
    template: 'Message content in versions and languages: the project’s own templates and the system templates.',
    'template.draft': 'Unpublished changes to a template.',
    sender: 'The default sender and the postal address of marketing mail.',
  },
  systemTemplates: [bouncedMail, refusedMail, pendingMail, unsignedMail, failedMail, newKeysMail, newRecordsMail],
  needs: [
    need(directory),
    need(audienceContacts, noContacts),
    need(audienceRecipients, allowAll),
    need(audienceReferences, noReferences),
    need(suppressions, noSuppressions),
    need(userAddresses, noUsers),
    need(metering, noMetering),
    need(standings, goodStanding),
    need(automationTexts, noAutomationTexts),
  ],
  provides: [
    provide(transactionalMail, makeTransactionalMail),
    provide(mailServer, ({ deployment }) => ({ isSet: () => deployment.settingsOf(settings).smtpUrl !== undefined })),
    provide(pictureStore, (context) => ({
      async store(environment, image, field) {
        const rows = await storeImages(context, environment, [readImage(image, field)]);
        return rows.map((row) => imageUrl(context.deployment, row)).join('');
      },
    })),
    provide(domainKeyCommands, makeDomainKeyCommands),
    provide(eventTriggers, makeEventTriggers),
    provide(emailOpenWork, makeOpenWork),
    provide(emailBroadcastHolds, holdsOf(emailBroadcasts)),
    provide(automationNames, ({ db }) => ({
      isKnown: async (environmentId, id) => (await db.findOne(automations, { environmentId, id })) !== null,
      notFound: automations.notFound,
    })),
  ],
  settings,
  tables: [
    messages,
    contents,
    recipients,
    attachments,
    attachmentParts,
    chunkJournal,
    images,
    imageParts,
    attempts,
    tags,
    senders,
    broadcasts,
    broadcastCounts,
    broadcastAudiences,
    automations,
    enrolments,
    runs,
    history,
    references,
    domains,
    domainKeys,
    inbounds,
    inboundAddresses,
    inboundAttachments,
    inboundContents,
    inboundParts,
    templates,
    templateVersions,
    templateContents,
    relays,
    reports,
    retries,
    softBounces,
    stats,
    statChanges,
  ],
  operations: [
    send,
    batchSend,
    domainAdd,
    domainGet,
    domainList,
    domainVerify,
    domainRemove,
    domainReceivingEnable,
    domainReceivingDisable,
    inboundAttachmentGet,
    inboundDelete,
    inboundGet,
    inboundList,
    messageGet,
    messageList,
    messageCancel,
    broadcastCreate,
    broadcastUpdate,
    broadcastGet,
    broadcastList,
    broadcastSend,
    broadcastPause,
    broadcastResume,
    broadcastCancel,
    automationCreate,
    automationUpdate,
    automationGet,
    automationList,
    automationActivate,
    automationPause,
    automationArchive,
    automationRunList,
    automationRunGet,
    automationRunCancel,
    senderGet,
    senderSet,
    statsGet,
    templateList,
    templateGet,
    templateDraftSave,
    templatePublish,
    templateDelete,
    templatePreview,
  ],
  events,
  errors: { ...messagingErrors, ...errors },
  consumes: [eventTrigger, holdWhenClosed(emailBroadcasts)],
  consequences: { 'account.closed': ['email.broadcast.paused'], 'account.reopened': ['email.cancelled'] },
  pages: [mailboxPage],
  callbacks: [emailCallback, ingestCallback],
  listeners: (services) => [...smtpReceivers(services), ...submissionServers(services)],
  listensOn: (facts) => [...smtpPorts(facts), ...submissionPorts(facts)],
  eraser,
  resources: [imageResource],
  jobs: (services) => [
    contentRetention(services, emailDriver),
    messageRetention(services, emailDriver),
    ...inboundJobs(services),
    ...runJobs(services),
    ...softBounceJobs(services),
    ...relayJobs(services),
    ...statJobsOf(services, 'email', statTables),
  ],
  outgoing: [waitingMail, waitingBroadcasts, automationSteps],
  // Imported here, so that a process that only answers calls never loads the code that composes and sends mail.
  work: async (services) => [
    audienceQueue(services, emailBroadcasts),
    ...(await import('./delivery/queue.js')).deliveryQueues(services),
    (await import('./automations/runner/queue.js')).runWork(services),
    (await import('./automations/runs/archive-queue.js')).archiveWork(services),
    (await import('./domains/queue.js')).domainChecks(services),
  ],
  startProblems,
  startupNotices,
});
