import { EntitySchema } from 'typeorm';
import { textColumn, timeColumn, uuidColumn } from '#core/runtime/database/columns.js';

export interface SenderRow {
  environmentId: string;
  fromAddress: string | null;
  fromName: string | null;
  replyTo: string | null;
  legalAddress: string | null;
  updatedAt: Date;
}

/** What an environment sends as, where a message says nothing. */
export const senders = new EntitySchema<SenderRow>({
  name: 'email_sender',
  columns: {
    environmentId: { ...uuidColumn(), primary: true },
    fromAddress: textColumn(254, { nullable: true }),
    fromName: textColumn(120, { nullable: true }),
    replyTo: textColumn(254, { nullable: true }),
    legalAddress: textColumn(500, { nullable: true }),
    updatedAt: timeColumn(),
  },
});
