import type { Language, Translations } from '#core/kernel/language.js';
import { fillText } from '#core/surfaces/pages/texts.js';
import type { FailureCode, FailureTexts } from '../tables/failure-codes.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { pt } from './pt.js';

export const failureTexts: Translations<FailureTexts> = { en, de, fr, es, pt };

/**
 * Why a payment or a setup failed, in a reader's language.
 * @param code null if svc does not know the provider's reason; the text then quotes `reason`
 * @param reason the provider's own text
 */
export function failureText(lang: Language, code: FailureCode | null, reason: string): string {
  const texts = failureTexts[lang];
  // The sentence around the quoted one ends with a full stop itself.
  return code === null ? fillText(texts.other, { reason: reason.replace(/\.$/, '') }) : texts[code];
}
