import type { KeywordPhrases } from './phrases.js';

const none = { locales: [], texts: '', start: '', help: '', again: [], yes: [], please: [] } as const;

/**
 * STOP in languages that svc has no texts in. The answer is in the contact’s or the project’s language, and says that
 * START undoes it.
 */
const italian: KeywordPhrases = {
  ...none,
  stop: 'FERMA, FERMARE, FERMATE, ANNULLA, ANNULLARE, CANCELLA, CANCELLAMI, CANCELLARE, DISISCRIVI, DISISCRIVIMI, DISISCRIVITI, DISISCRIVERE, DISISCRIZIONE, DISDIRE, INTERROMPI, RIMUOVI, RIMUOVIMI, NIENTE PIU SMS',
  texts: 'messaggi, messaggio, messaggini, pubblicità',
  wishes: [
    '(niente|nessun|basta|non più|no più|non voglio|non voglio più|non voglio ricevere|non voglio più ricevere|non desidero più ricevere|non desidero ricevere|stop) (più|altri|altro|vostri|i vostri|questi|) sms',
    '(non mandatemi|non inviatemi|non mandate|non inviate|non mandarmi|non inviarmi) (più|) (più|altri|) (sms|nulla|niente)',
    '(non scrivetemi|non scrivermi|non contattatemi|non contattarmi|non mi scrivete|non mi scriva|non mi contatti|non mi contattate) più',
    '(smettete|smetti|smettetela|smetta) (di mandarmi|di inviarmi|di scrivermi|di mandare|di inviare) (sms|)',
    '(voglio|vorrei|desidero|chiedo di) (disiscrivermi|cancellarmi|annullare l’iscrizione|cancellare l’iscrizione|essere cancellato|essere cancellata|essere rimosso|essere rimossa)',
    '(annulla|annullare|cancella|cancellare|disdire|disdici|disdetta) (l’|la mia|la|il mio|) (iscrizione|abbonamento|sottoscrizione)',
    '(cancellatemi|cancellami|toglietemi|toglimi|rimuovetemi|rimuovimi|eliminatemi) (dalla lista|dalla vostra lista|)',
    '(disattiva|disattivare|cancellazione|disdetta|disdici|disiscrivetemi|disiscrivermi|cancellarmi|cancellatemi|revoca|revoco|annullate|interrompere|interrompete|rimuovere)',
  ],
  around: [
    '(ciao|salve|buongiorno|buonasera|per favore|perfavore|per piacere|per cortesia|grazie|mille|cortesemente|prego|subito|ora|sms|i sms|gli sms|tutto|tutti|da questa lista|dalla lista)',
  ],
};

const dutch: KeywordPhrases = {
  ...none,
  stop: 'STOPPEN, AFMELDEN, AFMELDING, UITSCHRIJVEN, UITSCHRIJVING, OPZEGGEN, OPZEGGING, ANNULEREN, BEEINDIGEN, STOPZETTEN, GEEN SMS MEER, GEEN BERICHTEN MEER',
  texts: 'berichten, berichtjes, smsjes, reclame, meldingen',
  wishes: [
    '(ik wil|ik wens|wil|) (graag|) geen sms (meer|) (ontvangen|krijgen|van jullie|van u|)',
    '(stuur|sturen|zend) (mij|me|) (aub|a u b|alstublieft|) geen sms meer',
    '(ik wil|ik wil graag|ik zou graag|graag|wil) (mij|me|mezelf|mijn abonnement|) (afmelden|uitschrijven|opzeggen|stoppen met sms)',
    '(ik|) (meld|schrijf) (mij|me) (hierbij|aub|) (af|uit)',
    '(schrijf|meld) (mij|me) (alstublieft|) (af|uit)',
    '(haal|verwijder) (mij|me|mijn nummer) (van de lijst|uit de lijst|van uw lijst|uit het bestand|)',
    '(abonnement|mijn abonnement|het abonnement) (opzeggen|stoppen|annuleren|beëindigen)',
    '(stop met|stoppen met) (sms’en|smsen|sms sturen|sms|mij te sms’en)',
    '(niet meer|nooit meer) (sms’en|smsen|sms|sturen|schrijven)',
    '(stop ermee|annuleer|afmeld|uitschrijf|uitschrijve|afmeldne|opzegen|verwijderen|intrekken|verwijder mij)',
  ],
  around: [
    '(hoi|hallo|dag|goedemorgen|goedemiddag|goedendag|alstublieft|alsjeblieft|aub|a u b|ajb|svp|graag|dank u|dank je|dank|bedankt|dankjewel|dankuwel|u|met vriendelijke groet|nu|direct|meteen|sms|alle|mij|me|de sms|deze sms|alles)',
  ],
};

const russian: KeywordPhrases = {
  ...none,
  stop: 'СТОП, ОТПИСАТЬСЯ, ОТПИСКА, ОТПИСАТЬ, ОТМЕНА, ОТМЕНИТЬ, ПРЕКРАТИТЬ, ПРЕКРАТИТЕ, ОСТАНОВИТЬ, ОСТАНОВИТЕ, ОТКАЗ, ОТКАЗАТЬСЯ',
  texts: 'смс, сообщения, сообщений, рассылка, рассылку, рассылки, рассылок, рекламу, рекламы',
  wishes: [
    '(я|) (хочу|хотел бы|хотела бы|прошу) (отписаться|отказаться от рассылки|отписать меня|отписаться от рассылки|прекратить рассылку)',
    '(отпишите|отпиши|удалите|удали|уберите|исключите) (меня|мой номер) (от рассылки|из рассылки|из списка|из базы|)',
    '(больше|) (мне|) (больше|) не (пишите|присылайте|шлите|отправляйте|пиши) (мне|) (больше|) (sms|)',
    '(я|) (больше|) не (хочу|желаю) (больше|) (получать|) (ваши|эти|) sms',
    '(без|нет|никаких|хватит|не надо|больше никаких) (больше|) sms',
    '(прекратите|остановите|прекратить|остановить|отменить|отмена|отключите|отключить|перестаньте) (присылать|слать|отправлять|) (sms|подписку|подписки|мне писать)',
    '(отписаться|отписка|отказ|отказаться) от (sms|подписки)',
    '(хватит|перестаньте|прекратите) (мне|) (писать|слать|присылать) (мне|) (sms|)',
    '(отключить|отключите|отпишите|отзываю согласие|отозвать согласие|отписатся|отписаца|стоп смс|стоп рассылка|стопп|отпишитесь от меня рассылкой)',
  ],
  around: [
    '(здравствуйте|привет|добрый день|добрый вечер|пожалуйста|пожалуста|плиз|спасибо|большое|меня|сейчас|немедленно|все|sms|прошу|заранее)',
  ],
};

const hebrew: KeywordPhrases = {
  ...none,
  stop: 'הסר, הסרה, להסיר, הסירו, עצור, לעצור, עצרו, הפסק, הפסיקו, להפסיק, ביטול, לבטל, בטל, סטופ',
  texts: 'הודעות, ההודעות, סמסים, סמס, פרסומות',
  wishes: [
    '(הסר|הסירו|תסירו|להסיר|תסיר|נא להסיר|נא הסירו|תורידו|הורידו|מחקו|תמחקו) (אותי|אותנו|את המספר שלי|את המספר) (מהרשימה|מרשימת התפוצה|מהתפוצה|מהדיוור|)',
    '(הסרה|הסר|להסיר|הסירוני|הסירני) (מהרשימה|מרשימה|מרשימת התפוצה|מהתפוצה|מרשימת תפוצה|מדיוור|)',
    '(אני|) (רוצה|מבקש|מבקשת) (להסיר|לבטל|להפסיק|לעצור|הסרה|ביטול) (את המנוי|מנוי|sms|את sms|מהרשימה|רישום|)',
    '(אני|) (לא רוצה|לא מעוניין|לא מעוניינת|לא מעונינת) (לקבל|יותר|) (יותר|לקבל|) sms (יותר|)',
    '(לא|אל) (לשלוח|תשלחו|לכתוב|תכתבו) (לי|) (יותר|) (sms|)',
    '(תפסיקו|הפסיקו|להפסיק|הפסק|די עם|תפסיק|בלי|אין יותר|לא עוד|מספיק) (לשלוח|לסמס|לכתוב|) (לי|) (sms|את sms|יותר)',
    '(תפסיקו|תפסיק|הפסיקו|להפסיק) (לשלוח|לסמס|לכתוב) (לי|)',
    '(ביטול|לבטל|בטלו|בטל) (מנוי|רישום|הרשמה|את המנוי|את הרישום|המנוי)',
    '(תפסיק|תפסיקי|די לsms|די להודעות|להסרה|הסירוני|הסירני|תפסיקו|תסירו אותי|בטלו|סטופפ|הסרר)',
  ],
  around: ['(שלום|היי|בבקשה|נא|אנא|תודה|רבה|תודה רבה|עכשיו|מיד|מייד|sms|אותי|הכל|לי)'],
};

const chinese: KeywordPhrases = {
  ...none,
  stop: '停止, 停, 退订, 退訂, 取消, 取消订阅, 取消訂閱, 拒收, 终止, 終止, 中止',
  texts: '短信, 简讯, 簡訊, 消息, 信息, 訊息',
  wishes: [
    '(停止|取消|终止|終止|退订|退訂|拒收)(发送|發送|接收|所有|)(通知|订阅|訂閱|服务|服務|推送|)',
    '(我要|我想|我想要|我希望|申请|申請|帮我|幫我)(退订|退訂|取消订阅|取消訂閱|停止接收|取消)',
    '(不要|别|別|不用|勿|不想|不想要|我不想|我不要|不再)(再|)(给我|給我|向我|)(发|發|发送|發送|收到|接收|收)(了|给我了|給我了|)',
    '(不要|不想要|我不要) sms',
    '(退订|退訂|取消|停止)(了|吧|我|一下)',
    '把我(从名单|從名單|从列表|從列表)(中|)(移除|删除|刪除)',
    '(停发|停發|退定|移除我|删除我|刪除我|删除我的号码|刪除我的號碼)',
  ],
  around: ['(请|請|谢谢|謝謝|您好|你好|麻烦|麻煩|您|sms|了)'],
};

export const otherLanguages: readonly KeywordPhrases[] = [italian, dutch, russian, hebrew, chinese];
