import { EntitySchema } from 'typeorm';
import {
  bytesColumn,
  exactColumn,
  idColumn,
  jsonColumn,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';

export interface WebhookRow {
  id: string;
  environmentId: string;
  url: string;
  /** Exact names and `product.*`; empty for every event. */
  eventTypes: string[];
  description: string | null;
  status: 'enabled' | 'disabled';
  /** The signing secret, encrypted: it must be read back to sign. */
  secretSealed: Buffer;
  /** When the present run of failures began; null while it answers well. */
  failingSince: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

export const webhooks = new EntitySchema<WebhookRow>({
  name: 'developers_webhook',
  columns: {
    id: idColumn(),
    environmentId: uuidColumn(),
    url: exactColumn(2048),
    eventTypes: jsonColumn(),
    description: textColumn(500, { nullable: true }),
    status: exactColumn(10),
    secretSealed: bytesColumn(200),
    failingSince: timeColumn({ nullable: true }),
    createdAt: timeColumn(),
    updatedAt: timeColumn(),
  },
});
