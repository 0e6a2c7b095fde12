import { EntitySchema } from 'typeorm';
import { exactColumn, flagColumn, idColumn, textColumn, timeColumn } from '#core/runtime/database/columns.js';

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
    country: exactColumn(2, { nullable: true }),
    heardFrom: exactColumn(20, { nullable: true }),
    heardFromDetail: textColumn(500, { nullable: true }),
    openedBy: exactColumn(254, { nullable: true }),
    operator: flagColumn(),
    createdAt: timeColumn(),
    closedAt: timeColumn({ nullable: true }),
    closedReason: textColumn(500, { nullable: true }),
  },
});
