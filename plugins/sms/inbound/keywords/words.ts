import type { Language } from '#core/kernel/language.js';
import type { Keyword } from '../../tables/inbound.js';

interface Word {
  readonly keyword: Keyword;
  /** The languages that the word is of; empty for words that people use in all of them. */
  readonly locales: readonly Language[];
}

/**
 * The usual words, without accents and in capitals. Those of all languages count everywhere: whoever writes STOPP means it, whatever language
 * the texts were in.
 */
const words: Readonly<Record<Keyword, readonly (readonly [words: string, ...locales: Language[]])[]>> = {
  stop: [
    ['STOP, STOPALL, STOP ALL, UNSUBSCRIBE, CANCEL, END, QUIT, REVOKE, OPTOUT, OPT OUT, OPT ME OUT, UNSUB, REMOVE ME'],
    ['STOPP, ABMELDEN, ABBESTELLEN, BEENDEN', 'de'],
    ['ARRET, ARRETER, ARRETEZ, DESABONNER, DESINSCRIRE', 'fr'],
    ['BAJA, DETENER, DAR DE BAJA', 'es'],
    ['SAIR, PARE, REMOVER', 'pt'],
    ['PARAR, CANCELAR', 'es', 'pt'],
  ],
  start: [
    ['START, UNSTOP, SUBSCRIBE'],
    ['ANMELDEN, STARTEN', 'de'],
    ['DEMARRER, REPRENDRE', 'fr'],
    ['ALTA', 'es'],
    ['VOLTAR, RETOMAR', 'pt'],
    ['INICIAR', 'es', 'pt'],
  ],
  help: [['HELP, INFO'], ['HILFE', 'de'], ['AIDE', 'fr'], ['AYUDA', 'es'], ['AJUDA', 'pt']],
};

/** The built-in words. */
export const builtInWords: ReadonlyMap<string, Word> = new Map(
  (['help', 'start', 'stop'] as const).flatMap((keyword) =>
    words[keyword].flatMap(([list, ...locales]) =>
      list.split(', ').map((word): [string, Word] => [word, { keyword, locales }]),
    ),
  ),
);

/**
 * A word that means START to somebody who has said STOP, and is an ordinary answer otherwise: “Reply YES to confirm your appointment” must
 * subscribe nobody.
 */
export const startAfterStop = new Map<string, readonly Language[]>([['YES', []]]);

/**
 * What people write around a word for STOP, without meaning less by it: courtesies, and what it is that shall stop.
 * Nothing that makes another sentence of it, such as “don’t”, “by” or “at”.
 */
export const aroundStop: ReadonlySet<string> = new Set(
  [
    'HI HELLO OK OKAY PLEASE PLS PLZ THANK THANKS YOU THANKYOU THX TY',
    'ME NOW TEXTING MESSAGING SENDING TEXT TEXTS MESSAGE MESSAGES SMS SUBSCRIPTION EOM',
    'BITTE DANKE SVP SIL VOUS TE PLAIT MERCI POR FAVOR GRACIAS OBRIGADO OBRIGADA',
  ].flatMap((line) => line.split(' ')),
);
