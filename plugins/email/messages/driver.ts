import { mailboxKey } from '#core/kernel/schema/email-address.js';
import { aboutPerson, type MessageDriver } from '#core/messaging/driver.js';
import { attempts } from '../tables/attempt.js';
import { chunkJournal } from '../tables/chunk-journal.js';
import { broadcastTables } from '../tables/broadcast.js';
import { messages, type MessageRow } from '../tables/message.js';
import { recipients } from '../tables/recipient.js';
import { statTables } from '../tables/stat.js';
import { reverseUsage } from './metering.js';
import { presentMessage } from './present.js';

export const chunkQueueRef = {
  name: 'email.chunks',
  table: 'email_chunk',
  journal: chunkJournal.tableName,
} as const;

export const deliveryQueueRef = { name: 'email.delivery', table: 'email_queue' } as const;

/** How email stores its messages (core/messaging/driver.ts). */
export const emailDriver: MessageDriver<MessageRow> = {
  name: 'email',
  queue: deliveryQueueRef,
  chunks: chunkQueueRef,
  tables: {
    messages,
    recipients,
    attempts,
    broadcasts: broadcastTables,
    contents: [
      { table: 'email_content', key: 'id' },
      { table: 'email_attachment', key: 'content_id' },
      { table: 'email_attachment_part', key: 'content_id' },
    ],
    details: [
      { table: 'email_tag', key: 'message_id' },
      { table: 'email_report', key: 'message_id' },
    ],
    stats: statTables,
  },
  keyOf: mailboxKey,
  keysOf: (address) => [mailboxKey(address)],
  emit({ emit }, { message, outcome, suppressed, failed, environment }, activityId) {
    const shown = presentMessage(message, suppressed);
    const data = outcome === 'sent' ? { message: shown, failedRecipients: [...failed] } : { message: shown };
    const about = { subjectId: message.id, data, ...aboutPerson(message) };
    emit(`email.${outcome}`, activityId === undefined ? about : { ...about, activityId }, environment);
  },
  reverseUsage,
  withoutContent: "subject = NULL, headers = '{}'",
  redaction: {
    addressOf: ({ email }) => email,
    redact(message, isTheirs) {
      const others = (addresses: readonly string[]): string[] => addresses.filter((address) => !isTheirs(address));
      return {
        ...message,
        fromName: null,
        displayNames: null,
        replyTo: others(message.replyTo),
        toAddresses: others(message.toAddresses),
        ccAddresses: others(message.ccAddresses),
        bccAddresses: others(message.bccAddresses),
        subject: null,
        headers: {},
        bounceDetail: null,
        submission: message.submission && { ...message.submission, shown: null },
      };
    },
    update: ({
      id,
      fromName,
      displayNames,
      replyTo,
      toAddresses,
      ccAddresses,
      bccAddresses,
      subject,
      headers,
      bounceDetail,
      submission,
      ...shared
    }) => {
      const { contentId, tags, contactId, personId } = shared;
      const own = {
        fromName,
        displayNames,
        replyTo,
        toAddresses,
        ccAddresses,
        bccAddresses,
        subject,
        headers,
        bounceDetail,
        submission,
      };
      return messages.updateRow({ id }, { ...own, contentId, tags, contactId, personId });
    },
  },
};
