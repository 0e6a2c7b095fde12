import { keyIssuer } from '#core/kernel/ports.js';
import { definePlugin } from '#core/kernel/plugin.js';
import { need, provide } from '#core/kernel/provision.js';
import { dashboard, directory } from '#plugins/account/ports.js';
import { transactionalMail } from '#plugins/email/ports.js';
import { errors } from './errors.js';
import { events } from './events.js';
import keyCreate from './operations/key/create.js';
import keyCurrent from './operations/key/current.js';
import keyList from './operations/key/list.js';
import keyRevoke from './operations/key/revoke.js';
import keyRotate from './operations/key/rotate.js';
import keyUpdate from './operations/key/update.js';
import eventGet from './operations/event/get.js';
import eventList from './operations/event/list.js';
import webhookCreate from './operations/webhook/create.js';
import webhookDeliveriesList from './operations/webhook/deliveries/list.js';
import webhookDeliveriesReplay from './operations/webhook/deliveries/replay.js';
import webhookDeliveryGet from './operations/webhook/delivery/get.js';
import webhookDeliveryReplay from './operations/webhook/delivery/replay.js';
import webhookDisable from './operations/webhook/disable.js';
import webhookEnable from './operations/webhook/enable.js';
import webhookGet from './operations/webhook/get.js';
import webhookList from './operations/webhook/list.js';
import webhookSecretRotate from './operations/webhook/secret/rotate.js';
import webhookTest from './operations/webhook/test.js';
import webhookUpdate from './operations/webhook/update.js';
import { describeDashboard } from './keys/dashboard-key.js';
import { makeKeyIssuer } from './keys/issuer.js';
import { keyLookup } from './keys/lookup.js';
import { forgetSecrets } from './webhooks/forget-secrets.js';
import { disabledMail, noMail } from './webhooks/disabled-mail.js';
import { deliveries } from './tables/delivery.js';
import { keys } from './tables/key.js';
import { webhooks } from './tables/webhook.js';
import { webhookDeliveries } from './deliveries/outgoing.js';
import { deliveryWorkQueue } from './deliveries/queue.js';
import { deliveryEraser } from './deliveries/erase.js';
import { webhookFanOut } from './deliveries/fan-out.js';
import { deliveryRetention } from './deliveries/retention.js';

export default definePlugin({
  name: 'developers',
  summary: 'API keys, webhook endpoints and their deliveries, and the event log.',
  groups: {
    event: 'The log of everything that happened in the environment.',
    key: 'API keys: create, rotate, revoke.',
    webhook: 'Your endpoints that events are sent to.',
    'webhook.deliveries': 'Delivery attempts of all endpoints: list them, replay dead ones.',
    'webhook.delivery': 'One delivery attempt: inspect it, replay it.',
    'webhook.secret': 'The secret that signs an endpoint’s deliveries.',
  },
  alwaysOn: true,
  needs: [need(directory), need(dashboard), need(transactionalMail, noMail)],
  provides: [provide(keyIssuer, makeKeyIssuer)],
  tables: [keys, webhooks, deliveries],
  operations: [
    keyCreate,
    keyCurrent,
    keyList,
    keyRevoke,
    keyRotate,
    keyUpdate,
    eventGet,
    eventList,
    webhookCreate,
    webhookDeliveriesList,
    webhookDeliveriesReplay,
    webhookDeliveryGet,
    webhookDeliveryReplay,
    webhookDisable,
    webhookEnable,
    webhookGet,
    webhookList,
    webhookSecretRotate,
    webhookTest,
    webhookUpdate,
  ],
  events,
  errors,
  systemTemplates: [disabledMail],
  authenticators: keyLookup,
  describes: describeDashboard,
  consumes: [webhookFanOut],
  eraser: deliveryEraser,
  work: (services) => [deliveryWorkQueue(services)],
  outgoing: [webhookDeliveries],
  jobs: (services) => [...deliveryRetention(services), ...forgetSecrets(services)],
});
