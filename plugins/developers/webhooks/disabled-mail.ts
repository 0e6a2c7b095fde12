import type { Context } from '#core/kernel/context.js';
import type { EmailSystemTemplate } from '#core/kernel/system-template.js';
import type { TransactionalMail } from '#plugins/email/ports.js';

/** The mail that informs owners that an endpoint was disabled. */
export const disabledMail: EmailSystemTemplate = {
  name: 'developers.webhook.disabled',
  channel: 'email',
  description: 'Sent to the account’s owners when a webhook endpoint was disabled because it kept failing.',
  variables: ['url', 'projectName', 'environment'],
  requiredVariables: ['url'],
  locales: {
    en: {
      subject: 'Webhook endpoint disabled: {{ url }}',
      heading: 'A webhook endpoint was disabled',
      body: 'The endpoint {{ url }} of {{ projectName }} ({{ environment }}) has answered no delivery for five days, so deliveries to it have stopped. Those that were queued wait.',
      footer:
        'Once it answers again, call developers.webhook.enable. Deliveries that died meanwhile are sent again by developers.webhook.deliveries.replay.',
    },
  },
};

/** Used when the email product is disabled: only the event reports the change. */
export const noMail = (_: Context): TransactionalMail => ({ queue: async () => ({ messageId: '' }) });
