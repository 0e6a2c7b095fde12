import type { KeywordPhrases } from './phrases.js';

export const english: KeywordPhrases = {
  locales: [],
  stop: 'STOP, STOPALL, STOP ALL, UNSUBSCRIBE, CANCEL, END, QUIT, REVOKE, OPTOUT, OPT OUT, OPT ME OUT, UNSUB, REMOVE ME, TAKE ME OFF, NO MORE TEXTS, NO MORE MESSAGES, DO NOT TEXT ME, DONT TEXT ME',
  start: 'START, UNSTOP, SUBSCRIBE, RESUBSCRIBE, OPT IN, OPTIN',
  help: 'HELP, INFO',
  texts: 'texts, messages, message, smses',
  wishes: [
    '(i want to|i would like to|i’d like to|i wish to|i want) (unsubscribe|opt out|be removed|stop receiving|stop getting|stop these sms)',
    '(please|) (do not|don’t|never) (text|message|sms|contact|write|write to) me (again|anymore|any more|any longer|)',
    '(please|) (do not|don’t) (send|send me) (any|any more|more|me any more|me more) (sms|text sms)',
    '(i|) (do not|don’t) (want|wish|wish to receive|want to receive|want to get) (any|any more|more|your|these|to receive any more|to receive your|) (sms|text sms) (from you|anymore|any more|)',
    'no (more|further|) (sms|text sms)',
    '(stop|quit) (texting|messaging|contacting|sending|sending me|sending me any|sending me your|with the|all the) (sms|text sms|me)',
    '(take|remove|delete) (me|my number|my phone number|this number) (off|from|off of) (this|your|the|all|) (list|lists|mailing list|sms)',
    '(delete|remove) my (number|phone number)',
    '(unsubscribe|opt out|opt me out|unsubscribe me) (from|of) (this|all|all of|your|these|the|this service|) (list|sms|text sms|text sms newsletters|sms newsletters)',
    '(cancel|end|stop|terminate) (my|the|this|) (subscription|subscriptions)',
    '(i|) (revoke|withdraw) (my|) consent',
    '(stoop|unsuscribe|unsubcribe|unsubscibe|unscribe|unsubscribe all|stpo|sotp|tsop|stiop|opt oout|cancle|canel)',
  ],
  around: [
    '(hi|hey|hello|ok|okay|please|pls|plz|kindly|thank|thanks|you|thankyou|very much|thx|ty|sorry)',
    '(me|to me|now|immediately|texting|messaging|sending|contacting|text|sms|all|these|eom|your sms|these sms)',
    '(text sms|subscription|my subscription)',
    '(from your list|from this list|from the list|your list)',
  ],
  again: [
    '(i want to|i would like to|i’d like to|i wish to) (subscribe|resubscribe|subscribe again|opt in|opt back in)',
    '(subscribe|start|opt in|sign me up|resubscribe|resume) (me|again|) (again|texting|sms|)',
    '(start|resume) (texting|messaging|sending) (me|) (again|)',
    '(allow|resume|send me) (sms|text sms) again',
    '(i want|i would like|i’d like) (sms|your sms) again',
  ],
  yes: ['(yes|yep|yeah)'],
  please: ['(please|pls|plz|kindly|hi|hey|hello|again)'],
};
