import type { ValueOf } from '#core/kernel/schema/schema.js';
import { broadcastPresenter, presentShared, type Results } from '#core/messaging/broadcasts/present.js';
import { emailDriver } from '../messages/driver.js';
import { broadcastTables, type BroadcastRow } from '../tables/broadcast.js';
import type { Broadcast } from './resources.js';

export type Presented = ValueOf<typeof Broadcast>;

/** A broadcast in the form of replies and events. */
export const presentBroadcast = (row: BroadcastRow, results: Results): Presented => ({
  ...presentShared(row, results),
  from: row.fromAddress,
  subject: row.subject,
});

/** Presents broadcasts with their counts. */
export const broadcastPresenterOfEmail = broadcastPresenter(
  { tables: broadcastTables, driver: emailDriver },
  presentBroadcast,
);
export const { one: presentOne } = broadcastPresenterOfEmail;
