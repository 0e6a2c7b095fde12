import { integer, map, nullable, text, uuid, type ValueOf, type object } from '#core/kernel/schema/schema.js';
import type { MessageFields } from './tables.js';

/* The fields of a message's origin in replies and events, on every channel. */

export const originFields = {
  template: nullable(text('The template it was created from.')),
  templateVersion: nullable(integer('The version of the template.')),
  templateLocale: nullable(text('The language of the template.')),
  topic: nullable(text('The consent topic it was sent under.')),
  broadcastId: nullable(uuid('The broadcast it belongs to.')),
  automationId: nullable(uuid('The automation that sent it.')),
  contactId: nullable(uuid('The contact it was sent to.')),
  tags: map(text(), 'Your own labels.'),
} as const;

type OriginValue = ValueOf<ReturnType<typeof object<typeof originFields>>>;

/** The origin of a message as replies and events carry it. */
export const presentOrigin = (row: MessageFields): OriginValue => ({
  template: row.template,
  templateVersion: row.templateVersion,
  templateLocale: row.templateLocale,
  topic: row.topic,
  broadcastId: row.broadcastId,
  automationId: row.automationId,
  contactId: row.contactId,
  tags: row.tags,
});

/** The origin of the message in a channel's examples: sent by one call, without a template. */
export const exampleOrigin: OriginValue = {
  template: null,
  templateVersion: null,
  templateLocale: null,
  topic: null,
  broadcastId: null,
  automationId: null,
  contactId: null,
  tags: { order: 'A-1024' },
};
