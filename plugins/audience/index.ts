import { definePlugin } from '#core/kernel/plugin.js';
import { provide } from '#core/kernel/provision.js';
import { errors } from './errors.js';
import { events } from './events.js';
import consentGrant from './operations/consent/grant.js';
import consentList from './operations/consent/list.js';
import consentRevoke from './operations/consent/revoke.js';
import contactDelete from './operations/contact/delete.js';
import contactGet from './operations/contact/get.js';
import contactUpdate from './operations/contact/update.js';
import contactUpsert from './operations/contact/upsert.js';
import { holds } from './ports.js';
import { makeHolds } from './rules/holds.js';
import { consentRecords, consents } from './tables/consent.js';
import { contacts } from './tables/contact.js';
import { segments } from './tables/segment.js';
import { suppressions } from './tables/suppression.js';
import { topics } from './tables/topic.js';
import { eraser } from './work/eraser.js';

export default definePlugin({
  name: 'audience',
  summary: 'Contacts, what each consented to, who may not be reached, and the page where they say so.',
  tables: [contacts, topics, consents, consentRecords, suppressions, segments],
  provides: [provide(holds, makeHolds)],
  operations: [contactUpsert, contactGet, contactUpdate, contactDelete, consentGrant, consentRevoke, consentList],
  events,
  errors,
  erases: () => eraser,
});
