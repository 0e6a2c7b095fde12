import type { Translations } from '#core/kernel/language.js';
import { textsFor } from '#core/surfaces/pages/texts.js';

interface FooterWords {
  help: string;
  preferences: string;
}

const words: Translations<FooterWords> = {
  en: { help: 'Help', preferences: 'Unsubscribe or manage your preferences' },
  de: { help: 'Hilfe', preferences: 'Abbestellen oder auswählen, was Sie erhalten' },
  fr: { help: 'Aide', preferences: 'Se désabonner ou choisir ce que vous recevez' },
  es: { help: 'Ayuda', preferences: 'Darse de baja o elegir lo que recibe' },
  pt: { help: 'Ajuda', preferences: 'Cancelar a subscrição ou escolher o que recebe' },
};

/** The footer's own words, in English for a language that svc does not support. @param locale BCP 47 */
export const footerWords = (locale: string): FooterWords => textsFor(words, [locale]).texts;
