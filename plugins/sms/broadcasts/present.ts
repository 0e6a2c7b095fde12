import { broadcastPresenter, presentShared } from '#core/messaging/broadcasts/present.js';
import { smsDriver } from '../messages/driver.js';
import { broadcastTables } from '../tables/broadcast.js';

/** Presents broadcasts with their counts. */
export const smsPresenter = broadcastPresenter({ tables: broadcastTables, driver: smsDriver }, presentShared);
