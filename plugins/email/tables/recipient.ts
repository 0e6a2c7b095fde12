import { EntitySchema } from 'typeorm';
import { exactColumn, textColumn, timeColumn, uuidColumn } from '#core/runtime/database/columns.js';

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
    messageId: { ...uuidColumn(), primary: true },
    position: { type: 'smallint', primary: true },
    environmentId: uuidColumn(),
    address: textColumn(254),
    addressKey: exactColumn(254),
    status: exactColumn(12),
    smtpCode: { type: 'smallint', nullable: true },
    response: textColumn(500, { nullable: true }),
    endedAt: timeColumn({ nullable: true }),
  },
});
