import { EntitySchema } from 'typeorm';
import {
  exactColumn,
  intColumn,
  nullable,
  primary,
  smallintColumn,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';

export interface AttemptRow {
  messageId: string;
  attempt: number;
  at: Date;
  status: 'sent' | 'temporary' | 'permanent' | 'mixed';
  smtpCode: number | null;
  response: string;
  durationMs: number;
}

/** Every hand-over to the mail server, with what it answered. */
export const attempts = new EntitySchema<AttemptRow>({
  name: 'email_attempt',
  columns: {
    messageId: primary(uuidColumn()),
    attempt: primary(intColumn()),
    at: timeColumn(),
    status: exactColumn(12),
    smtpCode: nullable(smallintColumn()),
    response: textColumn(500),
    durationMs: intColumn(),
  },
});
