import { EntitySchema } from 'typeorm';
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

export interface TopicRow {
  /** For paging alone: people and programs know the topic by its key. */
  id: string;
  environmentId: string;
  /** The key, which is fixed. */
  topic: string;
  name: string;
  description: string | null;
  channels: string[];
  isPublic: boolean;
  archivedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

export const topics = new EntitySchema<TopicRow>({
  name: 'audience_topic',
  columns: {
    id: idColumn(),
    environmentId: uuidColumn(),
    topic: exactColumn(64),
    name: textColumn(120),
    description: nullable(textColumn(500)),
    channels: jsonColumn(),
    isPublic: flagColumn(),
    archivedAt: nullable(timeColumn()),
    createdAt: timeColumn(),
    updatedAt: timeColumn(),
  },
});
