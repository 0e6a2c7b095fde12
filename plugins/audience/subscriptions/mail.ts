import type { Context } from '#core/kernel/context.js';
import { shownName } from '#core/kernel/schema/plain-name.js';
import type { EmailSystemTemplate } from '#core/messaging/system-template.js';
import type { SystemMail, TransactionalMail } from '#plugins/email/ports.js';
import type { TopicRow } from '../tables/topic.js';
import { confirmationDays } from './token.js';

/** The mail with the link that confirms a subscription. It contains nothing that was entered in the form. */
export const confirmTemplate: EmailSystemTemplate = {
  name: 'audience.subscription.confirm',
  channel: 'email',
  description: 'The confirmation of a subscription that was requested with a topic’s subscribe form.',
  budget: 'confirmation',
  variables: ['topicName', 'days', 'url'],
  requiredVariables: ['url'],
  locales: {
    en: {
      subject: 'Please confirm: {{ topicName }}',
      heading: 'Confirm your subscription',
      body: 'This address was entered in a form to subscribe to “{{ topicName }}”. Use the button below to confirm. The link works for {{ days }} days.',
      button: 'Confirm subscription',
      footer: 'If you didn’t ask for this, you can ignore this email. You won’t be subscribed unless you confirm.',
    },
    de: {
      subject: 'Bitte bestätigen: {{ topicName }}',
      heading: 'Bestätigen Sie Ihr Abonnement',
      body: 'Diese Adresse wurde in ein Formular eingetragen, um „{{ topicName }}“ zu abonnieren. Mit der Schaltfläche unten bestätigen Sie das. Der Link ist {{ days }} Tage gültig.',
      button: 'Abonnement bestätigen',
      footer:
        'Wenn Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren. Ohne Ihre Bestätigung wird nichts abonniert.',
    },
    fr: {
      subject: 'Veuillez confirmer\u00a0: {{ topicName }}',
      heading: 'Confirmez votre abonnement',
      body: 'Cette adresse a été saisie dans un formulaire d’abonnement à «\u00a0{{ topicName }}\u00a0». Utilisez le bouton ci-dessous pour confirmer. Le lien est valable {{ days }} jours.',
      button: 'Confirmer l’abonnement',
      footer:
        'Si vous n’êtes pas à l’origine de cette demande, vous pouvez ignorer cet e-mail. Sans votre confirmation, aucun abonnement n’est enregistré.',
    },
    es: {
      subject: 'Confirme la suscripción: {{ topicName }}',
      heading: 'Confirme su suscripción',
      body: 'Esta dirección se ha introducido en un formulario para suscribirse a «{{ topicName }}». Use el botón de abajo para confirmarlo. El enlace es válido durante {{ days }} días.',
      button: 'Confirmar suscripción',
      footer:
        'Si no lo ha solicitado, puede ignorar este correo. Sin su confirmación no se activa ninguna suscripción.',
    },
    pt: {
      subject: 'Confirme a subscrição: {{ topicName }}',
      heading: 'Confirme a sua subscrição',
      body: 'Este endereço foi introduzido num formulário para subscrever «{{ topicName }}». Use o botão abaixo para confirmar. O link é válido durante {{ days }} dias.',
      button: 'Confirmar subscrição',
      footer: 'Se não fez este pedido, pode ignorar este e-mail. Sem a sua confirmação, a subscrição não é ativada.',
    },
  },
};

/** @param url the confirmation page with the token */
export const confirmationMail = (
  { name }: Pick<TopicRow, 'name'>,
  { email, locale, url }: { email: string; locale: string; url: string },
): SystemMail => ({
  template: confirmTemplate,
  to: email,
  variables: { topicName: shownName(name), days: String(confirmationDays) },
  url,
  locale,
});

/** Used if the email product is disabled after a form was set up: no confirmation can be sent. */
export const noMail = ({ fail }: Context): TransactionalMail => ({
  queue: async () => {
    throw fail.provider_not_configured({
      owner: 'This deployment',
      provider: 'email',
      nextStep: 'Add email to SVC_PRODUCTS and restart the server.',
    });
  },
});
