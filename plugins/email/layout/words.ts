import { pickLocale } from '#core/messaging/templates/locale.js';

interface FooterWords {
  help: string;
  preferences: string;
}

const english: FooterWords = { help: 'Help', preferences: 'Unsubscribe or manage your preferences' };
const words: Readonly<Record<string, FooterWords>> = {
  en: english,
  de: { help: 'Hilfe', preferences: 'Abbestellen oder auswählen, was Sie erhalten' },
  fr: { help: 'Aide', preferences: 'Se désabonner ou choisir ce que vous recevez' },
  es: { help: 'Ayuda', preferences: 'Darse de baja o elegir lo que recibe' },
  pt: { help: 'Ajuda', preferences: 'Cancelar a subscrição ou escolher o que recebe' },
};

/** The footer's own words, in English for a language that is not there. */
export const footerWords = (locale: string): FooterWords =>
  words[pickLocale(Object.keys(words), [locale], 'en')] ?? english;
