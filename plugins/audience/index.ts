import { definePlugin } from '#core/kernel/plugin.js';
import {
  bouncedMail,
  audienceReferences,
  contactCounts,
  contacts as contactsPort,
  eventTriggers,
  recipients,
  suppressions as suppressing,
  textChoices,
} from './ports.js';
import { need, provide } from '#core/kernel/provision.js';
import { dashboard, directory } from '#plugins/account/ports.js';
import { transactionalMail } from '#plugins/email/ports.js';
import { deploymentSettings } from './deployment-settings.js';
import { errors } from './errors.js';
import { events } from './events.js';
import consentGrant from './operations/consent/grant.js';
import consentList from './operations/consent/list.js';
import consentRevoke from './operations/consent/revoke.js';
import contactDelete from './operations/contact/delete.js';
import contactGet from './operations/contact/get.js';
import contactImport from './operations/contact/import.js';
import contactList from './operations/contact/list.js';
import contactUpdate from './operations/contact/update.js';
import contactUpsert from './operations/contact/upsert.js';
import eventRecord from './operations/event/record.js';
import importGet from './operations/import/get.js';
import preferencesGet from './operations/preferences/get.js';
import preferencesLink from './operations/preferences/link.js';
import preferencesSet from './operations/preferences/set.js';
import segmentCreate from './operations/segment/create.js';
import segmentDelete from './operations/segment/delete.js';
import segmentGet from './operations/segment/get.js';
import segmentList from './operations/segment/list.js';
import segmentPreview from './operations/segment/preview.js';
import segmentUpdate from './operations/segment/update.js';
import suppressionAdd from './operations/suppression/add.js';
import suppressionLift from './operations/suppression/lift.js';
import suppressionList from './operations/suppression/list.js';
import topicArchive from './operations/topic/archive.js';
import topicCreate from './operations/topic/create.js';
import topicGet from './operations/topic/get.js';
import topicList from './operations/topic/list.js';
import topicRestore from './operations/topic/restore.js';
import topicUpdate from './operations/topic/update.js';
import preferencesPage from './pages/preferences/page.js';
import confirmPage from './pages/subscribe/confirm-page.js';
import subscribePage from './pages/subscribe/page.js';
import { noTriggers } from './events/record.js';
import { makeAudienceReferences } from './segments/references-port.js';
import { makeRecipients } from './eligibility/recipients.js';
import { makeContactCounts, makeContacts } from './contacts/port.js';
import { confirmTemplate, noMail } from './subscriptions/mail.js';
import { makeSuppressions, makeBouncedMail } from './suppressions/port.js';
import { makeTextChoices } from './text-choices/port.js';
import { consentOrigins, consentRecords, consents } from './tables/consent.js';
import { contacts } from './tables/contact.js';
import { erasedContacts } from './tables/erased-contact.js';
import { formerAddresses } from './tables/former-address.js';
import { eventTallies, recordedEvents } from './tables/event.js';
import { importParts, importRejections, imports } from './tables/import.js';
import { messageTallies } from './tables/message-tally.js';
import { properties } from './tables/property.js';
import { segments } from './tables/segment.js';
import { suppressions } from './tables/suppression.js';
import { topics } from './tables/topic.js';
import { references } from './tables/reference.js';
import { findAddressHolder } from './contacts/erase.js';
import { eraser } from './eraser.js';
import { importWork } from './imports/queue.js';
import { importRetention } from './imports/retention.js';
import { messageTally } from './events/message-tally.js';
import { retention } from './events/retention.js';

export default definePlugin({
  name: 'audience',
  summary: 'Contacts, their consents, suppressions, segments, and the page where people choose what they receive.',
  groups: {
    consent: 'Who consented to which topic, and who withdrew: an append-only history.',
    contact: 'The people you send messages to: create, import, find, erase.',
    event: 'What contacts do in your product, for segments and automations.',
    import: 'Imports of contacts: their progress and their rejected rows.',
    preferences: 'The page where people choose what they receive, and the links to it.',
    segment: 'Saved definitions of contacts, evaluated live.',
    suppression: 'Addresses and numbers that must not be reached, and why.',
    topic: 'What people can subscribe to.',
  },
  settings: deploymentSettings,
  tables: [
    contacts,
    properties,
    formerAddresses,
    erasedContacts,
    topics,
    consents,
    consentRecords,
    consentOrigins,
    suppressions,
    segments,
    imports,
    importParts,
    importRejections,
    recordedEvents,
    eventTallies,
    messageTallies,
    references,
  ],
  needs: [need(dashboard), need(directory), need(eventTriggers, noTriggers), need(transactionalMail, noMail)],
  provides: [
    provide(audienceReferences, makeAudienceReferences),
    provide(recipients, makeRecipients),
    provide(contactsPort, makeContacts),
    provide(contactCounts, makeContactCounts),
    provide(suppressing, makeSuppressions),
    provide(bouncedMail, makeBouncedMail),
    provide(textChoices, makeTextChoices),
  ],
  operations: [
    contactUpsert,
    contactGet,
    contactList,
    contactUpdate,
    contactDelete,
    contactImport,
    importGet,
    consentGrant,
    consentRevoke,
    consentList,
    topicCreate,
    topicUpdate,
    topicGet,
    topicList,
    topicArchive,
    topicRestore,
    segmentCreate,
    segmentUpdate,
    segmentGet,
    segmentList,
    segmentDelete,
    segmentPreview,
    suppressionList,
    suppressionAdd,
    suppressionLift,
    eventRecord,
    preferencesGet,
    preferencesSet,
    preferencesLink,
  ],
  events,
  errors,
  consumes: [messageTally],
  systemTemplates: [confirmTemplate],
  pages: [preferencesPage, subscribePage, confirmPage],
  jobs: (services) => [...retention(services), ...importRetention(services)],
  work: (services) => [importWork(services)],
  eraser,
  findAddressHolder,
});
