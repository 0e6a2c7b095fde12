import { EntitySchema } from 'typeorm';
import {
  exactColumn,
  nullable,
  primary,
  smallintColumn,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';

export interface RecipientRow {
  messageId: string;
  position: number;
  environmentId: string;
  /** Empty once the person was erased. */
  address: string;
  addressKey: string;
  status: 'queued' | 'sent' | 'failed' | 'suppressed' | 'cancelled';
  smtpCode: number | null;
  response: string | null;
  endedAt: Date | null;
}

/** A row per person a message goes to: each ends in its own way. */
export const recipients = new EntitySchema<RecipientRow>({
  name: 'email_recipient',
  columns: {
    messageId: primary(uuidColumn()),
    position: primary(smallintColumn()),
    environmentId: uuidColumn(),
    address: textColumn(254),
    addressKey: exactColumn(254),
    status: exactColumn(12),
    smtpCode: nullable(smallintColumn()),
    response: nullable(textColumn(500)),
    endedAt: nullable(timeColumn()),
  },
});
