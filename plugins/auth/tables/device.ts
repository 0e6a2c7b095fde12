import {
  choiceColumn,
  digestColumn,
  exactColumn,
  idColumn,
  nullable,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

const deviceStatuses = ['pending', 'approved', 'denied', 'completed'] as const;

/** Device authorizations (RFC 8628). Deleted a day after they expire. */
export const devices = defineTable('auth_device', {
  id: idColumn(),
  environmentId: uuidColumn(),
  deviceDigest: digestColumn(),
  userCode: exactColumn(16),
  clientName: textColumn(120),
  scope: nullable(textColumn(500)),
  status: choiceColumn(deviceStatuses, 9),
  /** The user who approved it. */
  userId: nullable(uuidColumn()),
  approvingSessionId: nullable(uuidColumn()),
  ip: exactColumn(45),
  location: nullable(textColumn(200)),
  userAgent: nullable(textColumn(400)),
  lastPolledAt: nullable(timeColumn()),
  createdAt: timeColumn(),
  expiresAt: timeColumn(),
});

export type DeviceRow = RowOf<typeof devices>;
