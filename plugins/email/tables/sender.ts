import { EntitySchema } from 'typeorm';
import { nullable, primary, textColumn, timeColumn, uuidColumn } from '#core/runtime/database/columns.js';

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
    environmentId: primary(uuidColumn()),
    fromAddress: nullable(textColumn(254)),
    fromName: nullable(textColumn(120)),
    replyTo: nullable(textColumn(254)),
    legalAddress: nullable(textColumn(500)),
    updatedAt: timeColumn(),
  },
});
