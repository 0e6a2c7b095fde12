import { inEachLanguage, type Translations } from '#core/kernel/language.js';
import type { SmsSystemTemplate } from '#core/messaging/system-template.js';
import type { Keyword } from '../tables/inbound.js';

/*
 * The answers to keywords. The fixed words use only GSM-7 characters and fit into one segment with a name of 40
 * characters. Only the brand's name and support address can make them longer.
 */

const texts: Readonly<Record<Keyword, Translations<string>>> = {
  stop: {
    en: '{{ brandName }}: You are unsubscribed and will not receive any more messages from us. Reply START to resubscribe.',
    de: '{{ brandName }}: Sie erhalten keine SMS mehr von uns. Antworten Sie mit START, um sie wieder zu erhalten.',
    fr: '{{ brandName }} : vous ne recevrez plus de SMS de notre part. Répondez START pour en recevoir à nouveau.',
    es: '{{ brandName }}: baja confirmada, ya no le enviaremos SMS. Responda START para volver a recibirlos.',
    pt: '{{ brandName }}: cancelado, deixa de receber os nossos SMS. Responda START para voltar a receber.',
  },
  start: {
    en: '{{ brandName }}: You will receive messages from us again. Reply STOP to unsubscribe or HELP for help.',
    de: '{{ brandName }}: Sie erhalten wieder SMS von uns. Antworten Sie mit STOP, um sie abzubestellen, oder mit HILFE für Hilfe.',
    fr: "{{ brandName }} : vous recevez à nouveau nos SMS. Répondez STOP pour ne plus en recevoir ou AIDE pour obtenir de l'aide.",
    es: '{{ brandName }}: vuelve a recibir nuestros SMS. Responda STOP para dejar de recibirlos o AYUDA para obtener ayuda.',
    pt: '{{ brandName }}: volta a receber os nossos SMS. Responda STOP para cancelar ou AJUDA para obter ajuda.',
  },
  help: {
    en: '{{ brandName }}: {% if contact %}Contact us at {{ contact }}. {% endif %}Reply STOP to unsubscribe. Message rates may apply.',
    de: '{{ brandName }}: {% if contact %}Sie erreichen uns unter {{ contact }}. {% endif %}Antworten Sie mit STOP, um keine SMS mehr zu erhalten. Es können SMS-Gebühren anfallen.',
    fr: "{{ brandName }} : {% if contact %}écrivez-nous à {{ contact }}. {% endif %}Répondez STOP pour ne plus recevoir de SMS. Des frais de SMS peuvent s'appliquer.",
    es: '{{ brandName }}: {% if contact %}escriba a {{ contact }}. {% endif %}Responda STOP para dejar de recibir SMS. Pueden aplicarse tarifas de SMS.',
    pt: '{{ brandName }}: {% if contact %}contacte {{ contact }}. {% endif %}Responda STOP para deixar de receber SMS. Podem aplicar-se custos de SMS.',
  },
};

const descriptions: Readonly<Record<Keyword, string>> = {
  stop: 'The reply to STOP: no more messages are sent.',
  start: 'The reply to START: messages are sent again.',
  help: 'The reply to HELP: who is sending.',
};

const templateOf = (keyword: Keyword): SmsSystemTemplate => ({
  name: `sms.reply.${keyword}`,
  channel: 'sms',
  description: descriptions[keyword],
  budget: 'answer',
  variables: ['contact'],
  requiredVariables: [],
  locales: inEachLanguage((language) => ({ body: texts[keyword][language] })),
});

/** The built-in answers, by keyword. An environment's `replies` override them. */
export const replyTemplates: Readonly<Record<Keyword, SmsSystemTemplate>> = {
  stop: templateOf('stop'),
  start: templateOf('start'),
  help: templateOf('help'),
};
