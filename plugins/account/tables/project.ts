import { EntitySchema } from 'typeorm';
import { exactColumn, idColumn, textColumn, timeColumn, uuidColumn } from '#core/runtime/database/columns.js';

export interface ProjectRow {
  id: string;
  accountId: string;
  name: string;
  /** The name as it is compared: NFC, lower case. */
  nameKey: string;
  /** The label of its own sending domain; unique in the deployment. */
  slug: string;
  locale: string;
  timeZone: string;
  createdAt: Date;
}

export const projects = new EntitySchema<ProjectRow>({
  name: 'account_project',
  columns: {
    id: idColumn(),
    accountId: uuidColumn(),
    name: textColumn(120),
    nameKey: exactColumn(1440),
    slug: exactColumn(63),
    locale: exactColumn(35),
    timeZone: exactColumn(64),
    createdAt: timeColumn(),
  },
});
