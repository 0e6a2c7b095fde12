import type { Translations } from '#core/kernel/language.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { pt } from './pt.js';
import type { SubscribeTexts } from './texts.js';

export const subscribeTexts: Translations<SubscribeTexts> = { en, de, fr, es, pt };
