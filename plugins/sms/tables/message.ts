import type { MoneyValue } from '#plugins/billing/ports.js';
import { owned } from '#core/kernel/environment/owned.js';
import { messageColumns } from '#core/messaging/tables.js';
import {
  bodyTextColumn,
  choiceColumn,
  exactColumn,
  intColumn,
  jsonColumn,
  nullable,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

/** The queue of texts that are due, and its table. */
export const deliveryQueueRef = { name: 'sms.delivery', table: 'sms_queue' } as const;

/** GSM-7: 3GPP TS 23.038; UCS-2: UTF-16 code units. */
export const encodings = ['GSM-7', 'UCS-2'] as const;
export type Encoding = (typeof encodings)[number];

export const messages = owned(
  defineTable('sms_message', {
    ...messageColumns,
    /** E.164; empty after the person was erased. */
    toNumber: textColumn(20),
    /** The number that it is sent from; null for a message that could not be sent. */
    fromNumber: nullable(exactColumn(20)),
    /**
     * Null for system texts, whose content is sealed (`sms_content`), for messages of broadcasts until they are handed
     * over, and after the recipient was erased.
     */
    body: nullable(bodyTextColumn()),
    /** 0 for a message of a broadcast until it is rendered. */
    segments: intColumn(),
    /** The metered number: for a message of a broadcast, the most that it can have, until it is rendered. */
    meteredSegments: intColumn(),
    encoding: choiceColumn(encodings, 5),
    /** Its cost when it was accepted; null without billing. */
    price: nullable(jsonColumn<MoneyValue>()),
    /**
     * The received text whose keyword this message answers; null for all other messages. An answer is also sent to a
     * number that said STOP, as the confirmation.
     */
    inReplyTo: nullable(uuidColumn()),
    /**
     * When the text was last submitted without a clear answer, such as after a time-out or a cut connection. The
     * provider may have accepted it. Null if every answer was clear.
     */
    unclearAt: nullable(timeColumn()),
    /** When the carrier reported that it is on the recipient's phone. */
    deliveredAt: nullable(timeColumn()),
    /** The provider's or carrier's code and words, for a message that failed. */
    errorCode: nullable(exactColumn(40)),
    errorDetail: nullable(textColumn(500)),
  }),
  { thing: 'message', lookup: 'sms.message.list' },
);

export type MessageRow = RowOf<typeof messages>;
