import { definePlugin } from '#core/kernel/plugin.js';
import { acceptedMessage, storeMessages } from '#core/messaging/accept.js';
import type { DeliveryDriver, RecipientReport, StatusChange } from '#core/messaging/driver.js';
import { deliveryQueue } from '#core/messaging/delivery/queue.js';
import { messageEraser } from '#core/messaging/erase.js';
import { rowsOf } from '#core/messaging/load.js';
import { statChangeColumns, statColumns } from '#core/messaging/stat-tables.js';
import { attemptColumns, messageColumns, recipientColumns } from '#core/messaging/tables.js';
import { idColumn, textColumn } from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';
import { idBytes, newId } from '#core/runtime/id.js';
import type { Lane } from '#core/runtime/work/queue.js';
import { queueTable } from '#core/runtime/work/tables.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { TestPlatform } from '#test/support/platform.js';

const messages = defineTable('pigeon_message', { ...messageColumns });
const recipients = defineTable('pigeon_recipient', { ...recipientColumns });
const attempts = defineTable('pigeon_attempt', { ...attemptColumns });
const stats = defineTable('pigeon_stat', { ...statColumns });
const statChanges = defineTable('pigeon_stat_change', { ...statChangeColumns });
const contents = defineTable('pigeon_content', { id: idColumn(), note: textColumn(200) });

export type PigeonMessage = RowOf<typeof messages>;

/** A channel of the tests' own: what it takes to send by pigeon is all that a new channel has to bring. */
interface Pigeon {
  readonly plugin: ReturnType<typeof definePlugin>;
  readonly channel: DeliveryDriver<PigeonMessage, string>;
  /** What was submitted, oldest first. */
  readonly flown: { address: string; note: string }[];
  readonly changes: StatusChange<PigeonMessage>[];
  /** Answers a delivery attempt; sent when it returns nothing. */
  onFlight: (address: string) => Partial<RecipientReport> | undefined;
  /** Called before the contents of some messages are read, with those messages' ids. */
  onLoad: (messageIds: readonly string[]) => Promise<void> | void;
  /** Addresses that may get nothing. */
  readonly optedOut: Set<string>;
  /**
   * Accepts one note to some addresses, each in a message of its own. Default lane: bulk.
   * @returns the messages' ids
   */
  send(
    platform: TestPlatform,
    environment: Environment,
    note: string,
    addresses: readonly string[],
    lane?: Lane,
  ): Promise<string[]>;
}

export function createPigeon(): Pigeon {
  const flown: Pigeon['flown'] = [];
  const changes: Pigeon['changes'] = [];
  const optedOut = new Set<string>();
  const queue = { name: 'pigeon.delivery', table: 'pigeon_queue' };

  const channelOn = (database?: TestPlatform['running']['services']['database']): Pigeon['channel'] => ({
    name: 'pigeon',
    queue,
    tables: {
      messages,
      recipients,
      attempts,
      broadcasts: null,
      contents: [{ table: 'pigeon_content', key: 'id' }],
      details: [],
      stats: { counts: stats, changes: statChanges },
    },
    limits: { concurrency: 8, perAccount: 4, alone: 6, stalledAfterMs: 5_000, mostStalled: 4 },
    keyOf: (address) => address.toLowerCase(),
    keysOf: (address) => [address.toLowerCase()],
    emit: (_, change) => void changes.push(change),
    reverseUsage: () => Promise.resolve(),
    withoutContent: 'template = NULL',
    redaction: {
      addressOf: ({ phone }) => phone,
      redact: (message) => message,
      update: ({ id, contentId, tags, contactId, personId }) =>
        messages.updateRow({ id }, { contentId, tags, contactId, personId }),
    },
    checkEligibility: async (_context, _environment, _purpose, addresses) => addresses.map(eligibilityOf),
    async loadContents(wanted) {
      await pigeon.onLoad(wanted.map(({ id }) => id));
      const ids = wanted.flatMap(({ contentId }) => contentId ?? []).map(idBytes);
      const rows =
        (await database?.rows<object>(`SELECT ${contents.columnList()} FROM pigeon_content WHERE id IN (?)`, [ids])) ??
        [];
      return new Map(
        rowsOf(rows)
          .map(contents.decode)
          .map(({ id, note }) => [id, note]),
      );
    },
    async deliver({ recipients: reached, content = '' }) {
      return {
        durationMs: 1,
        recipients: reached.map(({ address }) => {
          flown.push({ address, note: content });
          return { address, outcome: 'sent', code: null, response: 'landed', ...pigeon.onFlight(address) };
        }),
      };
    },
    retryAt: (attempt, _dueAt, now) => (attempt < 3 ? new Date(now.getTime() + 60_000) : null),
  });
  const eligibilityOf = (address: string) => ({
    address,
    contactId: null,
    blockReason: optedOut.has(address) ? 'opted_out' : null,
    blockedBy: null,
    preferencesUrl: null,
  });

  const pigeon: Pigeon = {
    channel: channelOn(),
    flown,
    changes,
    optedOut,
    onFlight: () => undefined,
    onLoad: () => undefined,
    plugin: definePlugin({
      name: 'pigeon',
      summary: 'Messages by pigeon.',
      tables: [messages, recipients, attempts, contents, stats, statChanges],
      operations: [],
      events: {},
      errors: {},
      // Copies of tables of email, which is migrated by then.
      async setUp({ database }) {
        for (const sql of [
          ...['message', 'recipient', 'attempt'].map((each) => `CREATE TABLE pigeon_${each} LIKE email_${each}`),
          'ALTER TABLE pigeon_message DROP COLUMN from_address, DROP COLUMN from_name, DROP COLUMN reply_to, DROP COLUMN to_addresses, DROP COLUMN cc_addresses, DROP COLUMN bcc_addresses, DROP COLUMN subject, DROP COLUMN headers',
          'CREATE TABLE pigeon_stat LIKE email_stat',
          'CREATE TABLE pigeon_stat_change LIKE email_stat_change',
          'CREATE TABLE pigeon_content (id BINARY(16) NOT NULL PRIMARY KEY, note VARCHAR(200) NOT NULL)',
          queueTable('pigeon_queue'),
        ])
          await database.run(sql);
      },
      work: (services) => [deliveryQueue(services, channelOn(services.database), () => Promise.resolve())],
      eraser: () => ({ step: messageEraser(channelOn()) }),
    }),
    async send({ running, clock }, environment, note, addresses, lane = 'bulk') {
      const contentId = newId();
      const now = clock.now();
      const facts = {
        ...{ environment, isSystem: false, template: null, tags: {} },
        ...{ topic: null, personId: null, sendAfter: null },
      };
      const accepted = addresses.map((address) => {
        const eligibility = [eligibilityOf(address)];
        const shared = acceptedMessage({ startedBy: () => null }, { id: newId(), now }, facts, eligibility);
        const message: PigeonMessage = { ...shared, contentId };
        return { message, eligibility };
      });
      await running.services.transaction('Test', (context) =>
        storeMessages(context, pigeon.channel, accepted, {
          lane,
          rows: [contents.insertRows([{ id: contentId, note }])],
        }),
      );
      return accepted.map(({ message }) => message.id);
    },
  };
  return pigeon;
}
