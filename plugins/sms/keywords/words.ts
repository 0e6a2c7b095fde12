import type { Language } from '#core/kernel/language.js';
import type { Keyword } from '../tables/inbound.js';

interface Word {
  readonly keyword: Keyword;
  /** The languages of the word; empty for words that people use in all languages. */
  readonly locales: readonly Language[];
}

/**
 * The usual words, without accents and in capitals. The words of all languages count everywhere: a person who writes
 * STOPP means it, whatever language the texts were in.
 */
const words: Readonly<Record<Keyword, readonly (readonly [words: string, ...locales: Language[]])[]>> = {
  stop: [
    [
      'STOP, STOPALL, STOP ALL, UNSUBSCRIBE, CANCEL, END, QUIT, REVOKE, OPTOUT, OPT OUT, OPT ME OUT, UNSUB, REMOVE ME, TAKE ME OFF, NO MORE TEXTS, NO MORE MESSAGES, DO NOT TEXT ME, DONT TEXT ME',
    ],
    [
      'STOPP, STOPPEN, ABMELDEN, ABMELDUNG, ABBESTELLEN, ABBESTELLUNG, BEENDEN, AUSTRAGEN, WIDERRUFEN, KEINE SMS MEHR, KEINE NACHRICHTEN MEHR',
      'de',
    ],
    ['ARRET, ARRETER, ARRETEZ, DESABONNER, DESABONNEMENT, DESINSCRIRE, DESINSCRIPTION, RESILIER', 'fr'],
    ['BAJA, DAR DE BAJA, DARME DE BAJA, DEME DE BAJA, DETENER, PAREN, DESUSCRIBIR, NO MAS MENSAJES', 'es'],
    ['SAIR, PARE, PAREM, REMOVER, REMOVA, DESCADASTRAR, NAO QUERO MAIS MENSAGENS', 'pt'],
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
 * A word that means START from a person who has said STOP, and is an ordinary answer otherwise: “Reply YES to confirm
 * your appointment” must not subscribe anybody.
 */
export const startAfterStop = new Map<string, readonly Language[]>([['YES', []]]);

/**
 * Words that people write around a word for STOP without changing its meaning: courtesies, and what should stop.
 * Nothing that turns it into a different sentence, such as “don’t”, “by” or “at”.
 */
export const aroundStop: ReadonlySet<string> = new Set(
  [
    'HI, HEY, HELLO, OK, OKAY, PLEASE, PLS, PLZ, KINDLY, THANK, THANKS, YOU, THANKYOU, VERY MUCH, THX, TY',
    'ME, NOW, IMMEDIATELY, TEXTING, MESSAGING, SENDING, CONTACTING, TEXT, TEXTS, MESSAGE, MESSAGES, SMS, ALL, THESE, YOUR TEXTS, YOUR MESSAGES, SUBSCRIPTION, MY SUBSCRIPTION, EOM',
    'FROM YOUR LIST, FROM THIS LIST, FROM THE LIST, YOUR LIST',
    'HALLO, GUTEN TAG, BITTE, DANKE, VIELEN DANK, MICH, SOFORT, ALLE, NACHRICHTEN, ABO, NEWSLETTER',
    'BONJOUR, SVP, STP, SIL, VOUS, TE, PLAIT, MERCI, BEAUCOUP, LES, VOS, ABONNEMENT',
    'HOLA, POR, FAVOR, GRACIAS, MUCHAS, LOS, MENSAJES, SUSCRIPCION, LA SUSCRIPCION',
    'OLA, OBRIGADO, OBRIGADA, MUITO, AS, MENSAGENS, SUBSCRICAO, A SUBSCRICAO',
  ].flatMap((line) => line.split(', ')),
);

/** Wishes that can only mean STOP. A wish is not a courtesy: “I want to quit” may be the answer to a question. */
export const wishesToStop: ReadonlyMap<string, readonly Language[]> = new Map(
  (
    [
      ['I WANT TO, I WOULD LIKE TO, ID LIKE TO, I WISH TO', 'UNSUBSCRIBE, OPT OUT, STOP RECEIVING, STOP GETTING', 'en'],
      ['ICH MOCHTE MICH, ICH MOECHTE MICH, ICH WILL MICH', 'ABMELDEN, AUSTRAGEN', 'de'],
      ['JE VEUX, JE SOUHAITE, JE VOUDRAIS', 'ME DESABONNER, ME DESINSCRIRE', 'fr'],
      ['QUIERO, DESEO, QUISIERA', 'DARME DE BAJA, DESUSCRIBIRME', 'es'],
      ['QUERO, DESEJO, GOSTARIA DE', 'CANCELAR A SUBSCRICAO, SAIR DA LISTA', 'pt'],
    ] as const
  ).flatMap(([wishes, ends, locale]) =>
    wishes
      .split(', ')
      .flatMap((wish) => ends.split(', ').map((end): [string, readonly Language[]] => [`${wish} ${end}`, [locale]])),
  ),
);

/**
 * The beginnings of the signatures that mail programs and phones add, also if a network has put them on the same line.
 */
export const signatures: readonly string[] = [
  'SENT FROM',
  'SENT VIA',
  'GET OUTLOOK FOR',
  'GESENDET VON',
  'GESENDET MIT',
  'VON MEINEM',
  'ENVOYE DE',
  'ENVOYE DEPUIS',
  'ENVIADO DESDE',
  'ENVIADO DE',
  'ENVIADO DO',
];
