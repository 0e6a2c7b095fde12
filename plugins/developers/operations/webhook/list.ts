import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page, paged } from '#core/kernel/schema/paging.js';
import { list, object } from '#core/kernel/schema/schema.js';
import { idBytes } from '#core/runtime/id.js';
import { exampleEndpoint, WebhookEndpoint } from '../../resources.js';
import { presentEndpoint } from '../../webhooks/endpoints.js';
import { webhooks } from '../../tables/webhook.js';

export default defineOperation({
  name: 'developers.webhook.list',
  summary: 'Lists the environment’s webhook endpoints.',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({ ...page }),
  output: object({ endpoints: list(WebhookEndpoint), nextBefore }),
  example: { input: {}, output: { endpoints: [exampleEndpoint], nextBefore: null } },

  async handle({ before, limit }, { db, caller, clock }) {
    const query = db
      .select(webhooks, 'webhook')
      .where('webhook.environment_id = :environment', { environment: idBytes(caller.environment.id) });
    const { rows, next } = await paged(query, 'webhook', 'environment', { before, limit });
    return { endpoints: rows.map((row) => presentEndpoint(row, clock.now())), nextBefore: next };
  },
});
