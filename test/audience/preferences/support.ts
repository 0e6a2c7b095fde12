import { preferencesUrl } from '#plugins/audience/preferences/token.js';
import { idBytes } from '#core/runtime/id.js';
import type { MessageTopic } from '#plugins/audience/ports.js';
import type { TestPlatform } from '#test/support/platform.js';

/** The token of a link as a message carries it. */
export function messageToken(
  platform: TestPlatform,
  contactId: string,
  message: MessageTopic = { channel: 'email', topic: 'news' },
): string {
  const { vault, deployment } = platform.running.services;
  return new URL(preferencesUrl(vault, deployment.baseUrl, contactId, message)).searchParams.get('token') ?? '';
}

/** The text with the character at `at` changed. */
export const tampered = (text: string, at: number): string =>
  `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;

interface ConsentRow {
  channel: Buffer;
  topic: Buffer;
  state: Buffer;
}
type RecordRow = ConsentRow & { ordinal: number; effective: number };

export interface ConsentStates {
  /** The stored state, by channel and topic. */
  stored: Record<string, string>;
  /** The state that follows from the records, which must be the same. */
  derived: Record<string, string>;
  ordinals: Record<string, number[]>;
  /** The states of the effective records, oldest first. */
  effective: Record<string, string[]>;
}

/** A contact's consent states: as stored, and as they follow from the records. */
export async function consentStates(platform: TestPlatform, contactId: string): Promise<ConsentStates> {
  const { database } = platform.running.services;
  const place = ({ channel, topic }: ConsentRow): string => `${channel.toString()} ${topic.toString()}`;
  const records = await database.rows<RecordRow>(
    'SELECT channel, topic, state, ordinal, effective FROM audience_consent_record WHERE contact_id = ? ORDER BY ordinal',
    [idBytes(contactId)],
  );
  const rows = await database.rows<ConsentRow>(
    'SELECT channel, topic, state FROM audience_consent WHERE contact_id = ?',
    [idBytes(contactId)],
  );
  const ordinals: ConsentStates['ordinals'] = {};
  const effective: ConsentStates['effective'] = {};
  for (const row of records) {
    (ordinals[place(row)] ??= []).push(row.ordinal);
    if (row.effective === 1) (effective[place(row)] ??= []).push(row.state.toString());
  }
  return {
    stored: Object.fromEntries(rows.map((row) => [place(row), row.state.toString()])),
    derived: Object.fromEntries(Object.entries(effective).map(([at, states]) => [at, states.at(-1) ?? ''])),
    ordinals,
    effective,
  };
}
