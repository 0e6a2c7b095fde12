import { EntitySchema } from 'typeorm';
import { exactColumn, flagColumn, idColumn, nullable, textColumn, timeColumn } from '#core/runtime/database/columns.js';

export interface AccountRow {
  id: string;
  name: string;
  country: string | null;
  heardFrom: string | null;
  heardFromDetail: string | null;
  /** The mailbox key of the owner who opened it, so that one address opens one account under any number of racers. */
  openedBy: string | null;
  /** The deployment's own (first) account. */
  operator: boolean;
  createdAt: Date;
  closedAt: Date | null;
  closedReason: string | null;
}

export const accounts = new EntitySchema<AccountRow>({
  name: 'account',
  columns: {
    id: idColumn(),
    name: textColumn(120),
    country: nullable(exactColumn(2)),
    heardFrom: nullable(exactColumn(20)),
    heardFromDetail: nullable(textColumn(500)),
    openedBy: nullable(exactColumn(254)),
    operator: flagColumn(),
    createdAt: timeColumn(),
    closedAt: nullable(timeColumn()),
    closedReason: nullable(textColumn(500)),
  },
});
