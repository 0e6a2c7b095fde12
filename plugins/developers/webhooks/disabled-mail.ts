import type { Context } from '#core/kernel/context.js';
import type { EmailSystemTemplate } from '#core/messaging/system-template.js';
import type { TransactionalMail } from '#plugins/email/ports.js';

/** The mail that informs owners that an endpoint was disabled. */
export const disabledMail: EmailSystemTemplate = {
  name: 'developers.webhook.disabled',
  channel: 'email',
  description:
    'Sent to the account’s owners when a webhook endpoint is disabled because it kept failing or returned 410.',
  budget: 'notice',
  variables: ['url', 'projectName', 'environment', 'reason'],
  requiredVariables: ['url'],
  locales: {
    en: {
      subject: 'Webhook endpoint disabled: {{ url }}',
      heading: 'A webhook endpoint was disabled',
      body: 'The endpoint {{ url }} of {{ projectName }} ({{ environment }}) {% if reason == "gone" %}has answered a delivery with 410 Gone{% else %}hasn’t accepted a delivery for five days{% endif %}, so deliveries to it have stopped. Queued deliveries are on hold.',
      footer:
        'Once it responds again, call developers.webhook.enable. To resend deliveries that failed in the meantime, call developers.webhook.deliveries.replay.',
    },
    de: {
      subject: 'Webhook-Endpunkt abgeschaltet: {{ url }}',
      heading: 'Ein Webhook-Endpunkt wurde abgeschaltet',
      body: 'Der Endpunkt {{ url }} von {{ projectName }} ({{ environment }}) {% if reason == "gone" %}hat eine Zustellung mit 410 Gone beantwortet{% else %}hat seit fünf Tagen keine Zustellung angenommen{% endif %}. Zustellungen an ihn sind angehalten; was in der Warteschlange steht, wartet.',
      footer:
        'Sobald er wieder antwortet, rufen Sie developers.webhook.enable auf. Zustellungen, die inzwischen fehlgeschlagen sind, sendet developers.webhook.deliveries.replay noch einmal.',
    },
    fr: {
      subject: 'Point de terminaison de webhook désactivé\u00a0: {{ url }}',
      heading: 'Un point de terminaison de webhook a été désactivé',
      body: 'Le point de terminaison {{ url }} (projet {{ projectName }}, {{ environment }}) {% if reason == "gone" %}a répondu 410 Gone à une livraison{% else %}n’a accepté aucune livraison depuis cinq jours{% endif %}. Les livraisons sont suspendues\u202f; celles en file d’attente restent en attente.',
      footer:
        'Dès qu’il répond à nouveau, appelez developers.webhook.enable. Les livraisons abandonnées entre-temps sont renvoyées par developers.webhook.deliveries.replay.',
    },
    es: {
      subject: 'Endpoint de webhook desactivado: {{ url }}',
      heading: 'Se ha desactivado un endpoint de webhook',
      body: 'El endpoint {{ url }} de {{ projectName }} ({{ environment }}) {% if reason == "gone" %}ha respondido 410 Gone a una entrega{% else %}no ha aceptado ninguna entrega en cinco días{% endif %}. Las entregas se han detenido; las que estaban en cola siguen en espera.',
      footer:
        'Cuando vuelva a responder, llame a developers.webhook.enable. Las entregas abandonadas entretanto se envían de nuevo con developers.webhook.deliveries.replay.',
    },
    pt: {
      subject: 'Endpoint de webhook desativado: {{ url }}',
      heading: 'Um endpoint de webhook foi desativado',
      body: 'O endpoint {{ url }} de {{ projectName }} ({{ environment }}) {% if reason == "gone" %}respondeu 410 Gone a uma entrega{% else %}não aceitou nenhuma entrega em cinco dias{% endif %}. As entregas foram suspensas; as que estavam na fila ficam em espera.',
      footer:
        'Quando ele voltar a responder, chame developers.webhook.enable. As entregas abandonadas entretanto são reenviadas por developers.webhook.deliveries.replay.',
    },
  },
};

/** Used when the email product is disabled: only the event reports the change. */
export const noMail = (_: Context): TransactionalMail => ({
  queue: async () => ({ messageId: '', hasBounced: false }),
});
