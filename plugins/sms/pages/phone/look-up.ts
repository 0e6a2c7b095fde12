import type { Services } from '#core/kernel/services.js';
import { deploymentSettings } from '../../deployment/settings.js';

/** More than a select field is useful for. */
const mostNumbers = 100;

/**
 * The numbers that a phone can write to: the numbers in a conversation, the last one first, else every number of an
 * environment and the deployment's own.
 */
export async function numbersToWriteTo(
  { database, deployment }: Pick<Services, 'database' | 'deployment'>,
  known: readonly string[],
): Promise<string[]> {
  if (known.length > 0) return [...new Set(known)];
  const rows = await database.rows<{ number: Buffer }>(
    "SELECT number FROM sms_number WHERE status = 'assigned' ORDER BY id DESC LIMIT ?",
    [mostNumbers],
  );
  const { smsFrom } = deployment.settingsOf(deploymentSettings);
  return [...new Set([...rows.map(({ number }) => number.toString()), ...(smsFrom === undefined ? [] : [smsFrom])])];
}

/** The keywords of texts that were written here, by the ids of their files; texts without a keyword are absent. */
export async function keywordsOf(
  database: Pick<Services['database'], 'rows'>,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await database.rows<{ provider_id: Buffer; keyword: Buffer }>(
    "SELECT provider_id, keyword FROM sms_inbound WHERE provider = 'log' AND provider_id IN (?) AND keyword IS NOT NULL",
    [ids.map((id) => Buffer.from(id))],
  );
  return new Map(rows.map((row) => [row.provider_id.toString(), row.keyword.toString()]));
}
