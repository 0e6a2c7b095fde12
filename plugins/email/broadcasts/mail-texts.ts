import type { EmailSystemTemplate } from '#core/kernel/system-template.js';

/** The mail that tells owners that more than 5 % of a broadcast bounced. */
export const bouncedMail: EmailSystemTemplate = {
  name: 'email.broadcast.bounces',
  description:
    'Sent to the account’s owners when more than 5 % of a broadcast bounced, which holds what is left of it.',
  channel: 'email',
  budget: 'notice',
  variables: ['broadcast', 'projectName', 'bounced', 'recipients'],
  requiredVariables: ['broadcast'],
  locales: {
    en: {
      subject: 'Many mails of “{{ broadcast }}” bounced',
      heading: 'Many mails of “{{ broadcast }}” bounced',
      body: 'Of the broadcast “{{ broadcast }}” of {{ projectName }}, {{ bounced }} of {{ recipients }} mails came back or were refused. More than 5 % harm the reputation of your domain, so what had not left is held.',
      footer:
        'Look at the addresses with email.message.list, then call email.broadcast.resume or email.broadcast.cancel.',
    },
    de: {
      subject: 'Viele E-Mails von „{{ broadcast }}“ kamen zurück',
      heading: 'Viele E-Mails von „{{ broadcast }}“ kamen zurück',
      body: 'Von der Rundmail „{{ broadcast }}“ von {{ projectName }} kamen {{ bounced }} von {{ recipients }} E-Mails zurück oder wurden abgewiesen. Mehr als 5 % schaden dem Ruf Ihrer Domain; was noch nicht verschickt war, wird deshalb zurückgehalten.',
      footer:
        'Sehen Sie sich die Adressen mit email.message.list an und rufen Sie dann email.broadcast.resume oder email.broadcast.cancel auf.',
    },
    fr: {
      subject: 'De nombreux e-mails de « {{ broadcast }} » sont revenus',
      heading: 'De nombreux e-mails de « {{ broadcast }} » sont revenus',
      body: 'Pour l’envoi « {{ broadcast }} » de {{ projectName }}, {{ bounced }} e-mails sur {{ recipients }} sont revenus ou ont été refusés. Au-delà de 5 %, la réputation de votre domaine en souffre : ce qui n’était pas encore parti est retenu.',
      footer:
        'Examinez les adresses avec email.message.list, puis appelez email.broadcast.resume ou email.broadcast.cancel.',
    },
    es: {
      subject: 'Muchos correos de «{{ broadcast }}» rebotaron',
      heading: 'Muchos correos de «{{ broadcast }}» rebotaron',
      body: 'Del envío «{{ broadcast }}» de {{ projectName }} rebotaron o fueron rechazados {{ bounced }} de {{ recipients }} correos. Más del 5 % daña la reputación de su dominio, así que lo que aún no había salido queda retenido.',
      footer:
        'Revise las direcciones con email.message.list y llame después a email.broadcast.resume o email.broadcast.cancel.',
    },
    pt: {
      subject: 'Muitos e-mails de «{{ broadcast }}» foram devolvidos',
      heading: 'Muitos e-mails de «{{ broadcast }}» foram devolvidos',
      body: 'Do envio «{{ broadcast }}» de {{ projectName }}, {{ bounced }} de {{ recipients }} e-mails foram devolvidos ou recusados. Mais de 5 % prejudicam a reputação do seu domínio, por isso o que ainda não tinha saído fica retido.',
      footer:
        'Veja os endereços com email.message.list e depois chame email.broadcast.resume ou email.broadcast.cancel.',
    },
  },
};
