import type { BlockedBy } from '#core/messaging/blocked.js';
import { groupBy } from '#core/messaging/group-by.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { SharedRead } from '#core/runtime/database/session.js';
import { bytesLiteral, idList, idLiteral, numberLiteral } from '#core/runtime/database/literal.js';
import { idBytes, idText } from '#core/runtime/id.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import { phoneForms } from '#core/kernel/schema/phone.js';
import type { Channel, Eligibility, SendPurpose, SuppressionReason } from '../ports.js';
import { addressDigest, addressDigests, addressKey, addressKeys } from '../contacts/address.js';
import { suppressionReasons } from '../tables/suppression-reasons.js';
import { blockingReasons, hasConsent, optOutRecord, suppressionId, topicProblem } from './conditions.js';
import type { Condition } from '../condition.js';

/** Whether this address may be sent a message with this purpose. */
interface EligibilityQuestion extends SendPurpose {
  readonly address: string;
}

interface EligibilityColumns {
  position: number;
  contact_id: Buffer | null;
  suppression_id: Buffer | null;
  topic_problem: 'topic_archived' | 'topic_channel_missing' | null;
  has_consent: number;
  opt_out_id: Buffer | null;
}

/** What stopped a message: when the person opted out or the address was suppressed, and where or why. */
interface StoppingRecord {
  readonly since: string;
  readonly source: string;
}

/**
 * Checks who may be sent a message now: suppressions first, then, under a topic, consent. All checks of single
 * addresses use this function: before sending, and in audience.contact.get.
 * @returns one result per question, in their order
 */
export async function decideEligibility(
  { db, vault }: { readonly db: ReadSession; readonly vault: Vault },
  environmentId: string,
  questions: readonly EligibilityQuestion[],
): Promise<Eligibility[]> {
  const found = new Map<EligibilityQuestion, EligibilityColumns>();
  const alike = groupBy(questions, ({ channel, topic, system }) => `${channel} ${topic === null} ${system}`);
  await Promise.all(
    alike.map(async (group) => {
      const rows = await findAlike({ db, vault }, environmentId, group);
      for (const row of rows) {
        const question = group[row.position];
        if (question) found.set(question, row);
      }
    }),
  );
  const records = await stoppingRecords(db, [...found.values()]);
  return questions.map((question) => {
    const row = found.get(question);
    const { address, channel, topic } = question;
    const by = (rule: BlockedBy['rule'], id: Buffer | null): BlockedBy => {
      const recordId = id && idText(id);
      const { since = null, source = null } = (recordId === null ? undefined : records.get(recordId)) ?? {};
      return { rule, channel, topic, recordId, since, source };
    };
    const contactId = row?.contact_id ? idText(row.contact_id) : null;
    const allowed = { address, contactId, blockReason: null, suppressionReason: null, blockedBy: null };
    if (row?.suppression_id) {
      const blockedBy = by('suppressed', row.suppression_id);
      const suppressionReason = suppressionReasons.find((reason) => reason === blockedBy.source) ?? null;
      return { ...allowed, blockReason: 'suppressed_recipient', suppressionReason, blockedBy };
    }
    if (row?.has_consent === 1) return allowed;
    if (row?.topic_problem)
      return { ...allowed, blockReason: row.topic_problem, blockedBy: by(row.topic_problem, null) };
    const blockedBy = row?.opt_out_id ? by('opted_out', row.opt_out_id) : by('never_asked', null);
    return { ...allowed, blockReason: 'no_consent', blockedBy };
  });
}

/** What a question asks for its address. */
interface AddressParts {
  readonly environmentId: string;
  readonly key: string;
  readonly digest: Buffer;
  /** The digest of suppressions that were stored by the other form of a number; the same for other addresses. */
  readonly otherDigest: Buffer;
}

/** The contact with the asked address. */
const contactJoin = (channel: Channel, environment: string, key: string): string =>
  `LEFT JOIN audience_contact c ON c.environment_id = ${environment} AND c.${channel === 'email' ? 'email_key' : 'phone'} = ${key}`;

/** The suppression of an address. A number may have been suppressed by its other form. */
function suppressionOf(asked: string, channel: Channel, reasons: readonly SuppressionReason[]): string {
  const by = (digest: string): string =>
    suppressionId(`${asked}.environment_id`, channel, reasons, `${asked}.${digest}`);
  return channel === 'email' ? by('digest') : `COALESCE(${by('digest')}, ${by('other_digest')})`;
}

/** Answers one question without a topic. Consent matters only under a topic. */
function sharedRead(
  channel: Channel,
  system: boolean,
): SharedRead<AddressParts, EligibilityColumns, EligibilityColumns> {
  const reasons = blockingReasons({ topic: null, system });
  return {
    // A text, because CAST pads binary values with zeros.
    parts: {
      environment_id: 'BINARY(16)',
      address_key: 'CHAR(254)',
      digest: 'BINARY(32)',
      other_digest: 'BINARY(32)',
    },
    sql: (asked) =>
      `SELECT asked.place, c.id AS contact_id,
       ${suppressionOf('asked', channel, reasons)} AS suppression_id
     FROM ${asked} ${contactJoin(channel, 'asked.environment_id', 'CAST(asked.address_key AS BINARY)')}`,
    parametersOf: ({ environmentId, key, digest, otherDigest }) => [idBytes(environmentId), key, digest, otherDigest],
    foundIn: (row) => ({
      position: 0,
      contact_id: row?.contact_id ?? null,
      suppression_id: row?.suppression_id ?? null,
      topic_problem: null,
      // Each question has a row; without one, nothing is allowed.
      has_consent: row ? 1 : 0,
      opt_out_id: null,
    }),
  };
}

/** Each is one object, because calls share the statement of the same object. */
const sharedReads = {
  email: { system: sharedRead('email', true), other: sharedRead('email', false) },
  sms: { system: sharedRead('sms', true), other: sharedRead('sms', false) },
};

/**
 * The forms in which contacts have those of the asked numbers that have two forms. Only numbers of three countries do,
 * so this is usually no statement.
 * @returns by address; none for an address that keeps its own key
 */
async function storedKeys(
  db: ReadSession,
  environmentId: string,
  group: readonly EligibilityQuestion[],
): Promise<ReadonlyMap<string, string>> {
  const asked = new Map<string, readonly string[]>();
  for (const { channel, address } of group) {
    const forms = channel === 'sms' ? addressKeys(channel, address) : [];
    if (forms.length > 1) asked.set(address, forms);
  }
  if (asked.size === 0) return new Map();
  const rows = await db.rows<{ phone: Buffer }>(
    'SELECT phone FROM audience_contact WHERE environment_id = ? AND phone IN (?)',
    [idBytes(environmentId), [...asked.values()].flat().map((form) => Buffer.from(form))],
  );
  const stored = new Set(rows.map(({ phone }) => phone.toString()));
  return new Map(
    [...asked].flatMap(([address, forms]) => {
      const own = addressKey('sms', address);
      const found = stored.has(own) ? own : forms.find((form) => stored.has(form));
      return found === undefined ? [] : [[address, found] as const];
    }),
  );
}

/**
 * Answers questions of one channel, all under topics or all without one, with one statement. Concurrent calls share the
 * statement of single questions without a topic.
 */
async function findAlike(
  { db, vault }: { readonly db: ReadSession; readonly vault: Vault },
  environmentId: string,
  group: readonly EligibilityQuestion[],
): Promise<EligibilityColumns[]> {
  const [first] = group;
  if (!first) return [];
  const { channel } = first;
  const keys = await storedKeys(db, environmentId, group);
  const partsOf = (address: string): AddressParts => {
    const key = keys.get(address) ?? addressKey(channel, address);
    const digest = addressDigest(vault, environmentId, channel, key);
    const isPhone = channel === 'sms' && phoneForms(key).length > 1;
    const [, otherDigest = digest] = isPhone ? addressDigests(vault, environmentId, channel, key) : [];
    return { environmentId, key, digest, otherDigest };
  };
  if (group.length === 1 && first.topic === null) {
    const read = sharedReads[channel][first.system ? 'system' : 'other'];
    return [await db.readShared(read, partsOf(first.address))];
  }
  // As text, because the driver takes several times as long for hundreds of placeholder values.
  const asked = group.map(({ address, topic }, position) => {
    const { key, digest, otherDigest } = partsOf(address);
    const values = [
      { name: 'position', sql: numberLiteral(position) },
      { name: 'address_key', sql: bytesLiteral(Buffer.from(key)) },
      { name: 'digest', sql: bytesLiteral(digest) },
      ...(channel === 'sms' ? [{ name: 'other_digest', sql: bytesLiteral(otherDigest) }] : []),
      { name: 'topic', sql: bytesLiteral(topic === null ? null : Buffer.from(topic)) },
      { name: 'environment_id', sql: idLiteral(environmentId) },
    ];
    return `SELECT ${values.map(({ name, sql }) => (position === 0 ? `${sql} AS ${name}` : sql)).join(', ')}`;
  });
  const text = asked.join(' UNION ALL ');
  // A column and not in the text: the text is the same for all environments, so what is computed from it is reused.
  const environment = 'a.environment_id';
  const suppression = suppressionOf('a', channel, blockingReasons(first));
  const unneeded = (sql: string): Condition => ({ sql, parameters: [] });
  const question = first.topic === null ? null : { channel, topic: unneeded('a.topic') };
  const consent = question ? hasConsent(environmentId, question, 'c.id') : unneeded('1');
  const problem = question ? topicProblem(environmentId, question) : unneeded('NULL');
  const optOut = question ? optOutRecord(environmentId, question, 'c.id') : unneeded('NULL');
  return db.rows<EligibilityColumns>(
    `SELECT a.position, c.id AS contact_id, ${suppression} AS suppression_id, ${problem.sql} AS topic_problem,
       (${consent.sql}) AS has_consent, ${optOut.sql} AS opt_out_id
     FROM (?) a ${contactJoin(channel, environment, 'a.address_key')}`,
    [...problem.parameters, ...consent.parameters, ...optOut.parameters, { toSqlString: () => text }],
  );
}

/**
 * Reads the suppressions and consent records that stop messages: none if everything may be sent. @returns by their ids
 */
async function stoppingRecords(
  db: ReadSession,
  rows: readonly EligibilityColumns[],
): Promise<ReadonlyMap<string, StoppingRecord>> {
  const suppressionIds = rows.flatMap(({ suppression_id: id }) => (id ? [idText(id)] : []));
  const optOutIds = rows.flatMap(({ opt_out_id: id }) => (id ? [idText(id)] : []));
  const [suppressions, optOuts] = await Promise.all([
    suppressionIds.length === 0
      ? []
      : db.rows<{ id: Buffer; reason: Buffer; created_at: Date }>(
          'SELECT id, reason, created_at FROM audience_suppression WHERE id IN (?)',
          [idList(suppressionIds)],
        ),
    optOutIds.length === 0
      ? []
      : db.rows<{ id: Buffer; source: string; given_at: Date }>(
          'SELECT id, source, given_at FROM audience_consent_record WHERE id IN (?)',
          [idList(optOutIds)],
        ),
  ]);
  return new Map([
    ...suppressions.map(({ id, reason, created_at: at }): [string, StoppingRecord] => [
      idText(id),
      { since: at.toISOString(), source: reason.toString() },
    ]),
    ...optOuts.map(({ id, source, given_at: at }): [string, StoppingRecord] => [
      idText(id),
      { since: at.toISOString(), source },
    ]),
  ]);
}
