import { definePlugin } from '#core/kernel/plugin.js';
import { need } from '#core/kernel/provision.js';
import { dashboard, directory } from '#plugins/account/ports.js';
import { noTextChoices, textChoices } from '#plugins/audience/ports.js';
import { metering, noFees, noMetering, passThroughFees } from '#plugins/billing/ports.js';
import { statusCallback } from './callbacks/status.js';
import { deploymentSettings } from './deployment-settings.js';
import { errors } from './errors.js';
import { eraser } from './eraser.js';
import { events } from './events.js';
import { inboundCallback } from './inbound/callback.js';
import { inboundJobs } from './inbound/retention.js';
import inboundList from './operations/inbound/list.js';
import registrationGet from './operations/registration/get.js';
import registrationSubmit from './operations/registration/submit.js';
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
    number: 'Numbers of yours that texts leave from and come to.',
    template: 'What texts say, in versions and languages: the project’s own templates and those of system texts.',
    'template.draft': 'Changes of a template that are not published.',
  },
  needs: [
    need(directory),
    need(dashboard),
    need(textChoices, noTextChoices),
    need(metering, noMetering),
    need(passThroughFees, noFees),
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
  jobs: (services) => [...inboundJobs(services), ...numberJobs(services)],
  work: (services) => [numberWork(services), registrationWork(services)],
});
