import type { EmailSystemTemplate } from '#core/messaging/system-template.js';

/** The mail that informs owners that more than 5 % of a broadcast bounced. */
export const bouncedMail: EmailSystemTemplate = {
  name: 'email.broadcast.bounces',
  description:
    'Sent to the account’s owners when more than 5% of a broadcast bounced and the rest of it was put on hold.',
  channel: 'email',
  budget: 'notice',
  variables: ['broadcast', 'projectName', 'bounced', 'recipients'],
  requiredVariables: ['broadcast'],
  locales: {
    en: {
      subject: 'Many emails of the broadcast “{{ broadcast }}” bounced',
      heading: 'Many emails of the broadcast “{{ broadcast }}” bounced',
      body: 'Emails of the broadcast “{{ broadcast }}” of {{ projectName }} bounced or were rejected: {{ bounced }} of {{ recipients }}. A bounce rate above 5% harms the reputation of your domain, so the rest of the broadcast is on hold.',
      footer:
        'Review the addresses with email.message.list, then call email.broadcast.resume or email.broadcast.cancel.',
    },
    de: {
      subject: 'Viele E-Mails der Rundsendung „{{ broadcast }}“ kamen zurück',
      heading: 'Viele E-Mails der Rundsendung „{{ broadcast }}“ kamen zurück',
      body: 'Von der Rundsendung „{{ broadcast }}“ von {{ projectName }} sind E-Mails zurückgekommen oder abgewiesen worden: {{ bounced }} von {{ recipients }}. Ein Anteil von mehr als 5\u00a0% schadet dem Ruf Ihrer Domain, deshalb ist der Rest der Rundsendung angehalten.',
      footer:
        'Sehen Sie sich die Adressen mit email.message.list an und rufen Sie dann email.broadcast.resume oder email.broadcast.cancel auf.',
    },
    fr: {
      subject: 'De nombreux e-mails de l’envoi groupé «\u00a0{{ broadcast }}\u00a0» sont revenus',
      heading: 'De nombreux e-mails de l’envoi groupé «\u00a0{{ broadcast }}\u00a0» sont revenus',
      body: 'Pour l’envoi groupé «\u00a0{{ broadcast }}\u00a0» (projet {{ projectName }}), des e-mails sont revenus ou ont été refusés\u00a0: {{ bounced }} sur {{ recipients }}. Un taux de plus de 5\u00a0% nuit à la réputation de votre domaine\u00a0: le reste de l’envoi est suspendu.',
      footer:
        'Examinez les adresses avec email.message.list, puis appelez email.broadcast.resume ou email.broadcast.cancel.',
    },
    es: {
      subject: 'Muchos correos del envío masivo «{{ broadcast }}» rebotaron',
      heading: 'Muchos correos del envío masivo «{{ broadcast }}» rebotaron',
      body: 'Del envío masivo «{{ broadcast }}» de {{ projectName }} han rebotado o se han rechazado correos: {{ bounced }} de {{ recipients }}. Una tasa de rebote superior al 5\u00a0% daña la reputación de su dominio, así que el resto del envío queda retenido.',
      footer:
        'Revise las direcciones con email.message.list y llame después a email.broadcast.resume o email.broadcast.cancel.',
    },
    pt: {
      subject: 'Muitos e-mails do envio em massa «{{ broadcast }}» foram devolvidos',
      heading: 'Muitos e-mails do envio em massa «{{ broadcast }}» foram devolvidos',
      body: 'Do envio em massa «{{ broadcast }}» de {{ projectName }} foram devolvidos ou recusados e-mails: {{ bounced }} de {{ recipients }}. Uma taxa de devolução superior a 5\u00a0% prejudica a reputação do seu domínio, por isso o resto do envio fica retido.',
      footer:
        'Veja os endereços com email.message.list e depois chame email.broadcast.resume ou email.broadcast.cancel.',
    },
  },
};

/** The mail that informs owners that the mail server refuses the messages of a broadcast. */
export const refusedMail: EmailSystemTemplate = {
  name: 'email.broadcast.refused',
  description:
    'Sent to the account’s owners when the mail server refused 20 messages of a broadcast in a row and the rest of it was put on hold.',
  channel: 'email',
  budget: 'notice',
  variables: ['broadcast', 'projectName', 'answer'],
  requiredVariables: ['broadcast'],
  locales: {
    en: {
      subject: 'The broadcast “{{ broadcast }}” is on hold',
      heading: 'The broadcast “{{ broadcast }}” is on hold',
      body: 'The mail server refused 20 emails of the broadcast “{{ broadcast }}” of {{ projectName }} in a row, and not because of the recipients’ mailboxes. It answered: “{{ answer }}”. The rest of the broadcast is on hold, and the refused emails wait with it.',
      footer:
        'Once the mail server accepts your mail again, call email.broadcast.resume. To send nothing more, call email.broadcast.cancel.',
    },
    de: {
      subject: 'Die Rundsendung „{{ broadcast }}“ ist angehalten',
      heading: 'Die Rundsendung „{{ broadcast }}“ ist angehalten',
      body: 'Der Mailserver hat 20 E-Mails der Rundsendung „{{ broadcast }}“ von {{ projectName }} nacheinander abgewiesen, und nicht wegen der Postfächer der Empfänger. Seine Antwort: „{{ answer }}“. Der Rest der Rundsendung ist angehalten; die abgewiesenen E-Mails warten mit ihm.',
      footer:
        'Sobald der Mailserver Ihre E-Mails wieder annimmt, rufen Sie email.broadcast.resume auf. Soll nichts mehr verschickt werden, rufen Sie email.broadcast.cancel auf.',
    },
    fr: {
      subject: 'L’envoi groupé «\u00a0{{ broadcast }}\u00a0» est suspendu',
      heading: 'L’envoi groupé «\u00a0{{ broadcast }}\u00a0» est suspendu',
      body: 'Le serveur de messagerie a refusé 20 e-mails de suite de l’envoi groupé «\u00a0{{ broadcast }}\u00a0» (projet {{ projectName }}), et non à cause des boîtes des destinataires. Sa réponse\u00a0: «\u00a0{{ answer }}\u00a0». Le reste de l’envoi est suspendu, et les e-mails refusés attendent avec lui.',
      footer:
        'Dès que le serveur de messagerie accepte de nouveau vos e-mails, appelez email.broadcast.resume. Pour ne plus rien envoyer, appelez email.broadcast.cancel.',
    },
    es: {
      subject: 'El envío masivo «{{ broadcast }}» está retenido',
      heading: 'El envío masivo «{{ broadcast }}» está retenido',
      body: 'El servidor de correo ha rechazado 20 correos seguidos del envío masivo «{{ broadcast }}» de {{ projectName }}, y no a causa de los buzones de los destinatarios. Su respuesta: «{{ answer }}». El resto del envío queda retenido, y los correos rechazados esperan con él.',
      footer:
        'Cuando el servidor de correo vuelva a aceptar sus correos, llame a email.broadcast.resume. Para no enviar nada más, llame a email.broadcast.cancel.',
    },
    pt: {
      subject: 'O envio em massa «{{ broadcast }}» está retido',
      heading: 'O envio em massa «{{ broadcast }}» está retido',
      body: 'O servidor de correio recusou 20 e-mails seguidos do envio em massa «{{ broadcast }}» de {{ projectName }}, e não por causa das caixas de correio dos destinatários. A resposta dele: «{{ answer }}». O resto do envio fica retido, e os e-mails recusados esperam com ele.',
      footer:
        'Quando o servidor de correio voltar a aceitar os seus e-mails, chame email.broadcast.resume. Para não enviar mais nada, chame email.broadcast.cancel.',
    },
  },
};
