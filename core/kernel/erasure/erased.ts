import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import { insertInto, orUpdate } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import { mailboxKey } from '../schema/email-address.js';
import { parsePhone, phoneKey } from '../schema/phone.js';

/*
 * Input waits: rows of an import, started sign-ins, links in mails. A person who was erased after such input was
 * accepted must not come back through it. So an erasure records the person's names in its transaction, as keyed
 * digests, and whatever creates a person asks here first (docs/decisions/0154-waiting-input-and-erasure.md).
 */

/** What a person is known by. */
export interface PersonNames {
  readonly email?: string | null | undefined;
  readonly phone?: string | null | undefined;
  readonly externalId?: string | null | undefined;
}

/** Input that may create a person. */
interface WaitingInput {
  readonly environmentId: string;
  /** The product that would create the person. */
  readonly product: string;
  /** `now` for what a caller asks for in the call that is running: nothing waited. */
  readonly acceptedAt: Date | 'now';
}

const cell = { table: 'svc_erased_name', column: 'name_digest' } as const;

/** The key of a number that may not have been validated yet. */
function keyOf(phone: string): string {
  const parsed = parsePhone(phone);
  return phoneKey(parsed.ok ? parsed.number : phone);
}

function digestsOf(vault: Vault, environmentId: string, { email, phone, externalId }: PersonNames): Buffer[] {
  const names = [
    ...(email == null ? [] : [`email|${mailboxKey(email)}`]),
    ...(phone == null ? [] : [`phone|${keyOf(phone)}`]),
    ...(externalId == null ? [] : [`externalId|${externalId.normalize('NFC')}`]),
  ];
  return names.map((name) => vault.digest(`${environmentId}|${name}`, cell));
}

/** Records, in the transaction of an erasure, what a person was known by to a product. */
export async function recordErased(
  { db, vault }: { db: Session; vault: Vault },
  { environmentId, product, erasedAt }: { environmentId: string; product: string; erasedAt: Date },
  names: PersonNames,
): Promise<void> {
  const digests = digestsOf(vault, environmentId, names);
  if (digests.length === 0) return;
  const rows = digests.map((digest) => ({
    environment_id: idBytes(environmentId),
    product: Buffer.from(product),
    name_digest: digest,
    erased_at: erasedAt,
  }));
  await db.run(orUpdate(insertInto('svc_erased_name', rows), 'erased_at = GREATEST(erased_at, VALUES(erased_at))'));
}

/**
 * Which people of an input were erased since it was accepted. Call it after the rows that the input concerns were
 * locked, so that an erasure which ran at the same time is seen.
 * @param people what the input names them by
 * @returns an answer for each
 */
export async function erasedSince(
  { db, vault }: { db: ReadSession; vault: Vault },
  { environmentId, product, acceptedAt }: WaitingInput,
  people: readonly PersonNames[],
): Promise<boolean[]> {
  const nobody = people.map(() => false);
  if (acceptedAt === 'now' || people.length === 0) return nobody;
  const scope = [idBytes(environmentId), Buffer.from(product), acceptedAt];
  const where = 'environment_id = ? AND product = ? AND erased_at > ?';
  // Nearly always nobody was erased meanwhile, and no digest has to be computed.
  const [any] = await db.rows(`SELECT 1 AS found FROM svc_erased_name WHERE ${where} LIMIT 1`, scope);
  if (!any) return nobody;
  const digests = people.map((names) => digestsOf(vault, environmentId, names));
  const asked = digests.flat();
  if (asked.length === 0) return nobody;
  const rows = await db.rows<{ name_digest: Buffer }>(
    `SELECT name_digest FROM svc_erased_name WHERE ${where} AND name_digest IN (?)`,
    [...scope, asked],
  );
  const erased = new Set(rows.map(({ name_digest: digest }) => digest.toString('hex')));
  return digests.map((names) => names.some((digest) => erased.has(digest.toString('hex'))));
}
