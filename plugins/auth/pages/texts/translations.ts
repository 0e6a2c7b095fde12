import type { Translations } from '#core/kernel/language.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { pt } from './pt.js';
import type { AuthTexts } from './texts.js';

export const authTexts: Translations<AuthTexts> = { en, de, fr, es, pt };
