import { owned } from '#core/kernel/environment/owned.js';
import {
  bodyTextColumn,
  choiceColumn,
  digestColumn,
  exactColumn,
  flagColumn,
  idColumn,
  intColumn,
  jsonColumn,
  nullable,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

/** The result of SPF, DKIM or DMARC. none: nothing was published or signed, or it could not be determined. */
export const verdicts = ['pass', 'fail', 'none'] as const;
export type Verdict = (typeof verdicts)[number];

/**
 * Received mail, one row per envelope recipient. A deleted row keeps its id, so that a repeat of its arrival does not
 * bring it back.
 */
export const inbounds = owned(
  defineTable('email_inbound', {
    id: idColumn(),
    environmentId: uuidColumn(),
    /** Recipients of one arrival share their content; null after it was deleted. */
    contentId: nullable(uuidColumn()),
    /**
     * The digest of envelope recipient and message: a message that arrives again is stored once. Null once a repeat
     * counts as another message.
     */
    arrivalDigest: nullable(digestColumn()),
    /** Empty for the null sender. */
    envelopeFrom: textColumn(254),
    envelopeTo: textColumn(254),
    fromAddress: textColumn(254),
    toAddresses: jsonColumn<string[]>(),
    subject: nullable(bodyTextColumn()),
    /** Its Message-ID, without angle brackets. */
    messageId: nullable(exactColumn(998)),
    /** Our message that it answers. */
    inReplyTo: nullable(uuidColumn()),
    spf: choiceColumn(verdicts, 4),
    dkim: choiceColumn(verdicts, 4),
    dmarc: choiceColumn(verdicts, 4),
    /** Sent by a program: see parse/parse-mail.ts. */
    automatic: flagColumn(),
    bytes: intColumn(),
    attachmentCount: intColumn(),
    receivedAt: timeColumn(),
    deletedAt: nullable(timeColumn()),
  }),
  { thing: 'received message', lookup: 'email.inbound.list' },
);

export type InboundRow = RowOf<typeof inbounds>;
