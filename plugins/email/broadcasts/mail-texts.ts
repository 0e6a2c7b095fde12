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
      body: 'Von der Rundsendung „{{ broadcast }}“ von {{ projectName }} sind E-Mails zurückgekommen oder abgewiesen worden: {{ bounced }} von {{ recipients }}. Mehr als 5\u00a0% schaden dem Ruf Ihrer Domain; was noch nicht verschickt war, wird deshalb angehalten.',
      footer:
        'Sehen Sie sich die Adressen mit email.message.list an und rufen Sie dann email.broadcast.resume oder email.broadcast.cancel auf.',
    },
    fr: {
      subject: 'De nombreux e-mails de «\u00a0{{ broadcast }}\u00a0» sont revenus',
      heading: 'De nombreux e-mails de «\u00a0{{ broadcast }}\u00a0» sont revenus',
      body: 'Pour l’envoi groupé «\u00a0{{ broadcast }}\u00a0» (projet {{ projectName }}), des e-mails sont revenus ou ont été refusés\u00a0: {{ bounced }} sur {{ recipients }}. Au-delà de 5\u00a0%, la réputation de votre domaine en souffre\u00a0: ce qui n’était pas encore parti est suspendu.',
      footer:
        'Examinez les adresses avec email.message.list, puis appelez email.broadcast.resume ou email.broadcast.cancel.',
    },
    es: {
      subject: 'Muchos correos de «{{ broadcast }}» rebotaron',
      heading: 'Muchos correos de «{{ broadcast }}» rebotaron',
      body: 'Del envío masivo «{{ broadcast }}» de {{ projectName }} han rebotado o se han rechazado correos: {{ bounced }} de {{ recipients }}. Más del 5\u00a0% daña la reputación de su dominio, así que lo que aún no había salido queda retenido.',
      footer:
        'Revise las direcciones con email.message.list y llame después a email.broadcast.resume o email.broadcast.cancel.',
    },
    pt: {
      subject: 'Muitos e-mails de «{{ broadcast }}» foram devolvidos',
      heading: 'Muitos e-mails de «{{ broadcast }}» foram devolvidos',
      body: 'Do envio em massa «{{ broadcast }}» de {{ projectName }} foram devolvidos ou recusados e-mails: {{ bounced }} de {{ recipients }}. Mais de 5\u00a0% prejudicam a reputação do seu domínio, por isso o que ainda não tinha saído fica retido.',
      footer:
        'Veja os endereços com email.message.list e depois chame email.broadcast.resume ou email.broadcast.cancel.',
    },
  },
};
