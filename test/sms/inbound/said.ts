import type { Language } from '#core/kernel/language.js';

type Spoken = Language | 'it' | 'nl' | 'ru' | 'he' | 'zh';

/** What people write to end texts, by language: one text a line, as it arrives. */
export const stops: Readonly<Record<Spoken, string>> = {
  en: `
    Stop
    STOP!!!
    ＳＴＯＰ
    🛑 stop 🛑
    please stop
    Stop please, thank you
    stpo
    unsubscribe
    Unsubcribe
    unsuscribe please
    opt-out
    Opt me out of these messages
    Remove me from this list
    Please remove my number
    take my number off your list
    Don't text me again
    do not contact me any more
    I don’t want any more texts
    I don't want to receive any more messages from you
    no more SMS
    stop sending me messages
    cancel my subscription please
    I revoke my consent
    Unsubscribe from all text message newsletters`,
  de: `
    Stopp
    stopp bitte
    Bitte stoppen
    Abmelden
    bitte abmelden!
    Abmeldn
    Abbestellen
    bitte abbestelen
    Keine weiteren SMS
    Keine SMS mehr
    keine sms mehr bitte
    Bitte keine Nachrichten mehr
    Bitte keine weiteren Nachrichten
    Keine Werbung mehr!
    Abo kündigen
    Abo kuendigen
    Kündigen
    Kündigung
    Newsletter abbestellen
    Ich möchte keine SMS mehr erhalten
    Ich moechte keine weiteren Nachrichten bekommen
    ich will keine SMS mehr
    Ich möchte mich abmelden
    Melden Sie mich bitte ab
    Bitte melden Sie mich ab
    Schicken Sie mir bitte keine SMS mehr
    Schreiben Sie mir nicht mehr
    Bitte nicht mehr schreiben
    Bitte löschen Sie meine Nummer
    Bitte aus dem Verteiler nehmen
    Hören Sie bitte auf
    Aufhören
    Ende
    Widerruf
    Ich widerrufe meine Einwilligung
    Hallo, bitte keine SMS mehr. Vielen Dank!
    Alle Newsletter per SMS abbestellen`,
  fr: `
    Arrêt
    arret
    ARRÊT SVP
    arrêt svp
    arrêt s’il vous plaît
    arret s il vous plait
    aret svp
    Arrêter
    arrêtez svp
    arretez merci
    STOP svp
    stop s'il te plaît
    Se désabonner
    se desabonner
    Me désabonner
    désabonnez-moi
    Désabonnez moi svp
    desabonnement
    désabonement
    desaboner
    Désinscription
    désinscrire
    désinscrivez-moi s’il vous plaît
    Annuler
    Résilier
    Résilier mon abonnement
    Annuler l’abonnement
    annuler mon abonnement svp
    Plus de SMS
    plus de sms merci
    Plus aucun SMS
    Je ne veux plus de SMS
    je ne veux plus recevoir de sms
    Je ne souhaite plus recevoir vos messages
    Je souhaite ne plus recevoir de messages
    Merci de ne plus m’envoyer de messages
    Ne m’envoyez plus de SMS
    ne m'écrivez plus
    Ne me contactez plus
    Arrêtez de m’envoyer des SMS
    arrêtez d'envoyer des messages
    Retirez-moi de votre liste
    Supprimez mon numéro
    stop aux sms
    Stop pub
    Bonjour, je souhaite me désabonner. Merci.
    Je me désabonne
    Se désabonner de toutes les lettres d’information par SMS`,
  es: `
    Baja
    baja por favor
    BAJA, GRACIAS
    Dar de baja
    Darse de baja
    darme de baja
    Deme de baja por favor
    Denme de baja
    me doy de baja
    Quiero darme de baja
    darme de vaja
    Anular
    Anular suscripción
    Cancelar
    cancelar por favor
    Cancelar la suscripción
    cancelar mi suscripcion
    canselar
    No más SMS
    no mas sms
    No más mensajes
    No más mensajes, por favor
    No quiero más SMS
    No quiero más mensajes
    no quiero recibir mas mensajes
    Ya no quiero recibir mensajes
    No me envíen más mensajes
    no me manden mas sms
    no me escriban más
    Dejen de enviarme mensajes
    deje de enviar mensajes
    Paren los mensajes
    Pare por favor
    Parar
    parar porfa
    por favor parar
    Detener
    Alto
    Desuscribir
    desuscribirme
    desuscrivir
    Sáquenme de la lista
    Bórrenme de su lista
    Hola, quisiera darme de baja, gracias
    STOP por favor
    Darse de baja de todos los boletines por SMS`,
  pt: `
    Sair
    sair por favor
    Parar
    por favor parar
    Pare, por favor
    parem sff
    Cancelar
    Cancelar a subscrição
    cancelar subscricao
    Cancelar assinatura
    quero cancelar a minha assinatura
    Anular
    anular subscrição
    Não quero mais SMS
    nao quero mais sms
    n quero mais mensagens
    Não quero mais mensagens
    Não quero receber mais mensagens
    Não quero mais receber SMS
    eu não quero mais receber mensagens
    Não me enviem mais mensagens
    nao mande mais sms
    Parem de enviar mensagens
    pare de me mandar mensagens
    Deixem de enviar SMS
    Remover
    remova-me
    me remova da lista
    Retirem-me da lista
    Remover meu número
    Descadastrar
    quero sair da lista
    Quero cancelar a subscrição, obrigada
    Cancelamento
    desinscrever
    Boa tarde, parar por favor
    STOP se faz favor
    Cancelar a subscrição de todos os boletins por SMS`,
  it: `
    Stop per favore
    Annulla
    annullare
    Cancellami
    cancellatemi dalla lista
    Disiscrivimi
    Disiscrizione
    Annulla iscrizione
    Annulla l’iscrizione
    Disdetta
    Niente più SMS
    Non voglio più SMS
    non voglio piu ricevere messaggi
    Non mandatemi più messaggi
    Non scrivetemi più
    smettete di mandarmi messaggi
    Fermare, grazie
    Ferma`,
  nl: `
    Stop alstublieft
    stop aub
    Stoppen
    Afmelden
    afmelden graag
    Uitschrijven
    uitschrijve
    Ik wil me afmelden
    Ik wil mij uitschrijven
    Schrijf me uit
    Meld me af
    Opzeggen
    Abonnement opzeggen
    Geen SMS meer
    Geen berichten meer a.u.b.
    Ik wil geen berichten meer
    Stuur mij geen sms meer
    Annuleren
    Haal me van de lijst`,
  ru: `
    СТОП
    стоп
    Стоп!
    Стоп, пожалуйста
    стоооп
    Отписаться
    Отписка
    Отпишите меня
    Отпишите меня от рассылки
    Я хочу отписаться
    Отмена
    Прекратите
    Прекратите присылать сообщения
    Не пишите мне больше
    Больше не присылайте смс
    Не хочу получать сообщения
    Я больше не хочу получать ваши сообщения
    Удалите меня из списка
    Отказаться от рассылки`,
  he: `
    הסר
    הסר בבקשה
    הסרה
    הסירו אותי
    נא להסיר
    תסירו אותי מהרשימה
    הסר אותי מרשימת התפוצה
    עצור
    להפסיק
    הפסיקו לשלוח
    תפסיקו לשלוח לי הודעות
    ביטול
    לבטל
    לא רוצה לקבל הודעות
    אני לא רוצה יותר הודעות
    סטופ
    הֵסֵר`,
  zh: `
    停止
    停止。
    请停止
    停止，谢谢
    退订
    退訂
    请退订，谢谢
    取消
    取消订阅
    取消訂閱
    停止发送
    停止发送短信
    不要再发短信
    别再发了
    请不要再发了
    我要退订
    拒收`,
};

/** What people write to get texts. All mean START from a person who has said STOP; the rest subscribes nobody. */
export const starts: Readonly<Record<Language, { always: string; afterStop: string }>> = {
  en: {
    always: 'Start; START!; unstop; subscribe; resubscribe; opt-in',
    afterStop: 'please start; start please; Start again; YES; yes please; Yes!; subscribe me; start texting me again',
  },
  de: {
    always: 'Anmelden; anmelden!; Starten; Abonnieren',
    afterStop:
      'Ja; ja bitte; Ja, gern; bitte anmelden; Wieder anmelden; SMS wieder erlauben; bitte wieder SMS schicken',
  },
  fr: {
    always: 'Démarrer; demarrer; Reprendre; S’abonner; Réabonner',
    afterStop:
      'Oui; OUI SVP; oui s’il vous plaît; M’abonner; me réabonner; je veux me réabonner; Autoriser de nouveau les SMS; reprendre svp',
  },
  es: {
    always: 'Alta; Iniciar; Suscribir; suscribirme; Darme de alta',
    afterStop:
      'Sí; si; Sí, por favor; alta por favor; deme de alta; quiero darme de alta; Permitir SMS de nuevo; Reanudar',
  },
  pt: {
    always: 'Voltar; Retomar; Iniciar; Subscrever; inscrever',
    afterStop:
      'Sim; sim por favor; Sim, se faz favor; subscrever por favor; Permitir de novo SMS; Voltar a permitir SMS; Começar; recomecar',
  },
};

/** The texts of a list. */
export const textsOf = (list: string, separator: '\n' | ';' = '\n'): string[] =>
  list
    .split(separator)
    .map((text) => text.trim())
    .filter((text) => text !== '');
