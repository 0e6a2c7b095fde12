import type { Environment } from '#core/kernel/caller/caller.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import type { Context } from '#core/kernel/context.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { normalizedKeyword } from '../keywords/normalize.js';
import { builtInKeywords } from '../keywords/words.js';
import { recipients } from '#plugins/audience/ports.js';
import { keywords } from '../tables/inbound.js';
import { numbers } from '../tables/number.js';
import type { ChangedSettings } from './defaults.js';
import type { SmsSettingsValue } from './resources.js';

/**
 * Checks changed settings against the environment's data, and settings that the schema cannot express.
 * @param changed what the call names
 * @param settings the settings with the change applied
 * @throws invalid_input; not_found for the number or topic that it names, topic_archived
 */
export async function checkSettings(
  { db, use }: Pick<Context, 'db' | 'use'>,
  { id: environmentId }: Environment,
  changed: ChangedSettings,
  settings: SmsSettingsValue,
): Promise<void> {
  const { quietHours } = settings;
  if (quietHours.enabled && quietHours.from === quietHours.to)
    throw invalidField('quietHours.to', 'must differ from `from`: the quiet hours would last all day');
  requireDistinct(settings);
  if (changed.defaultNumberId) {
    const number = await db.findOne(numbers, { environmentId, id: changed.defaultNumberId });
    if (number?.status !== 'assigned') throw refusalOf.not_found({ ...numbers.notFound });
  }
  if (changed.consentByStart) await use(recipients).mustBeSendable(environmentId, changed.consentByStart);
}

/** A word has one meaning, and can occur in a text: words are compared in the same way as received texts. */
function requireDistinct({ keywords: own }: SmsSettingsValue): void {
  const seen = new Map<string, string>();
  for (const keyword of keywords)
    for (const [index, word] of own[keyword].entries()) {
      const field = `keywords.${keyword}[${index}]`;
      const key = normalizedKeyword(word);
      if (key === '') throw invalidField(field, 'must have a letter or a digit');
      const usual = builtInKeywords().words.get(key)?.keyword ?? keyword;
      if (usual !== keyword) throw invalidField(field, `must not be a built-in keyword for ${usual}`);
      const other = seen.get(key);
      if (other !== undefined && other !== keyword) throw invalidField(field, `must not also be in keywords.${other}`);
      seen.set(key, keyword);
    }
}
