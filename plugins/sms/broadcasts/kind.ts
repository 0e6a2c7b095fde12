import type { BroadcastDriver } from '#core/messaging/broadcasts/driver.js';
import { idField, textField } from '#core/messaging/broadcasts/event-fields.js';
import { broadcastMessage } from '#core/messaging/broadcasts/message.js';
import { audienceReferences, recipients } from '#plugins/audience/ports.js';
import { metering } from '#plugins/billing/ports.js';
import { smsDriver } from '../messages/driver.js';
import { presentMessage } from '../messages/present.js';
import { broadcastTables, type BroadcastRow } from '../tables/broadcast.js';
import type { MessageRow } from '../tables/message.js';
import { smsReferences } from '../tables/reference.js';
import { meterMessages, reservation, reverseAllUsage } from './metering.js';
import { smsPresenter } from './present.js';
import { stateProblemOf } from './readiness.js';

/** No text has this many segments. */
const segmentsMarker = -2_147_483_001;

/** How sms makes the messages of broadcasts (core/messaging/broadcasts). */
export const smsBroadcasts: BroadcastDriver<BroadcastRow, MessageRow> = {
  name: 'sms',
  driver: smsDriver,
  tables: broadcastTables,
  messageEvents: { queued: 'sms.queued', cancelled: 'sms.cancelled' },

  audience: ({ use }) => use(recipients),
  metering: ({ use }) => use(metering),
  messageOf,
  selected: { toNumber: 'r.address' },
  address: 'm.to_number',
  addressKey: 'm.to_number',
  eventData: (message) => ({ message: presentMessage(message) }),
  eventFields: {
    id: idField('id', 'm.id'),
    contactId: idField('contact', 'm.contact_id'),
    toNumber: textField('to', 'm.to_number'),
    fromNumber: textField('from', 'm.from_number'),
    body: textField('body', 'm.body'),
    segments: { marker: segmentsMarker, json: 'm.segments' },
    templateLocale: textField('locale', 'm.template_locale'),
  },

  reservation,
  meterMessages,
  reverseAllUsage,

  startProblem: async (context, environment) =>
    (await stateProblemOf(context, environment)) === null ? null : 'not_ready',
  async emitStatus({ db, emit }, event, broadcast, environment) {
    const data = { broadcast: await smsPresenter.one(db, broadcast) };
    emit(`sms.broadcast.${event}`, { subjectId: broadcast.id, data, activityId: broadcast.activityId }, environment);
  },
  async freeReferences({ db, use }, broadcastId) {
    await use(audienceReferences).freeReferences(broadcastId);
    await smsReferences.freeReferences(db, broadcastId);
  },
};

/** A message of a broadcast, except for its recipient. Its content is rendered when it is sent. */
function messageOf(broadcast: BroadcastRow, at: Date): MessageRow {
  return {
    ...broadcastMessage(broadcast, at),
    inReplyTo: null,
    toNumber: '',
    fromNumber: null,
    body: null,
    segments: 0,
    meteredSegments: broadcast.reservedSegments,
    encoding: 'GSM-7',
    price: null,
    unclearAt: null,
    deliveredAt: null,
    errorCode: null,
    errorDetail: null,
  };
}
