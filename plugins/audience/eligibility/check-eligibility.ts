import type { Session } from '#core/runtime/database/session.js';
import { bytesLiteral, numberLiteral } from '#core/runtime/database/literal.js';
import { idBytes, idText } from '#core/runtime/id.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import type { Eligibility, SendPurpose, SuppressionReason } from '../ports.js';
import { addressDigest, addressKey } from '../contacts/address.js';
import { blockingReasons, hasConsent, suppressionReason, topicProblem, type Condition } from './conditions.js';

interface EligibilityColumns {
  position: number;
  contact_id: Buffer | null;
  suppression_reason: Buffer | null;
  topic_problem: 'topic_archived' | 'topic_channel_missing' | null;
  has_consent: number;
}

/**
 * Checks which of `addresses` may be sent a message now: suppressions first, then, under a topic, consent.
 * @returns one result per address, in the order of `addresses`
 */
export async function checkEligibility(
  { db, vault }: { db: Session; vault: Vault },
  environmentId: string,
  purpose: SendPurpose,
  addresses: readonly string[],
): Promise<Eligibility[]> {
  if (addresses.length === 0) return [];
  const { channel, topic } = purpose;
  // As text, because hundreds of values of placeholders take the driver several times as long.
  const asked = addresses.map((address, position) => {
    const key = addressKey(channel, address);
    const digest = addressDigest(vault, environmentId, channel, key);
    const [named, at] = [bytesLiteral(Buffer.from(key)), numberLiteral(position)];
    return position === 0
      ? `SELECT ${at} AS position, ${named} AS address_key, ${bytesLiteral(digest)} AS digest`
      : `SELECT ${at}, ${named}, ${bytesLiteral(digest)}`;
  });
  const text = asked.join(' UNION ALL ');
  const reasons = blockingReasons(purpose);
  const reason = suppressionReason(environmentId, channel, reasons, 'a.digest');
  const unneeded = (sql: string): Condition => ({ sql, parameters: [] });
  const consent = topic === null ? unneeded('1') : hasConsent(environmentId, { channel, topic }, 'c.id');
  const problem = topic === null ? unneeded('NULL') : topicProblem(environmentId, { channel, topic });
  const rows = await db.rows<EligibilityColumns>(
    `SELECT a.position, c.id AS contact_id, ${reason.sql} AS suppression_reason, ${problem.sql} AS topic_problem, (${consent.sql}) AS has_consent
     FROM (?) a
     LEFT JOIN audience_contact c ON c.environment_id = ? AND c.${channel === 'email' ? 'email_key' : 'phone'} = a.address_key`,
    [
      ...reason.parameters,
      ...problem.parameters,
      ...consent.parameters,
      { toSqlString: () => text },
      idBytes(environmentId),
    ],
  );
  const byPosition = new Map(rows.map((row) => [row.position, row]));
  return addresses.map((address, position) => {
    const row = byPosition.get(position);
    const suppressed = suppressedBy(reasons, row);
    return {
      address,
      contactId: row?.contact_id ? idText(row.contact_id) : null,
      blockReason: suppressed
        ? 'suppressed_recipient'
        : row?.has_consent === 1
          ? null
          : (row?.topic_problem ?? 'no_consent'),
      suppressionReason: suppressed ?? null,
    };
  });
}

const suppressedBy = (
  reasons: readonly SuppressionReason[],
  row: EligibilityColumns | undefined,
): SuppressionReason | undefined => reasons.find((reason) => reason === row?.suppression_reason?.toString());
