import {
  exactColumn,
  flagColumn,
  idColumn,
  jsonColumn,
  nullable,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';
import type { Channel } from '../ports.js';

/** The settings of a topic's subscribe form. */
export interface SubscribeForm {
  /** People confirm the subscription by mail before it counts. */
  doubleOptIn: boolean;
  /** Where people end after they have subscribed; null for svc's own page. */
  redirectUrl: string | null;
}

export const topics = defineTable('audience_topic', {
  /** Used for paging only: callers know the topic by its key. */
  id: idColumn(),
  environmentId: uuidColumn(),
  /** The key, which never changes. */
  topic: exactColumn(64),
  name: textColumn(120),
  description: nullable(textColumn(500)),
  channels: jsonColumn<Channel[]>(),
  isPublic: flagColumn(),
  /** Null if people cannot subscribe themselves. */
  subscribeForm: nullable(jsonColumn<SubscribeForm>()),
  archivedAt: nullable(timeColumn()),
  createdAt: timeColumn(),
  updatedAt: timeColumn(),
});

export type TopicRow = RowOf<typeof topics>;
