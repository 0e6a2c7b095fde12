import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'chai';
import { at } from '#test/support/json.js';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';

/** What agents ask, and the operation that answers it. */
const questions: readonly (readonly [question: string, operation: string])[] = [
  ['send a mail', 'email.send'],
  ['send an email to a customer', 'email.send'],
  ['send email with attachment', 'email.send'],
  ['did it arrive', 'email.message.get'],
  ['was my mail delivered?', 'email.message.get'],
  ['why did the message bounce', 'email.message.get'],
  ['status of an email', 'email.message.get'],
  ['show all mails sent today', 'email.message.list'],
  ['stop a scheduled email', 'email.message.cancel'],
  ['change the from address', 'email.sender.set'],
  ['unsubscribe somebody from the newsletter', 'audience.consent.revoke'],
  ['opt out', 'audience.consent.revoke'],
  ['subscribe a person to news', 'audience.consent.grant'],
  ['GDPR: delete all data of a person', 'audience.contact.delete'],
  ['forget a user', 'auth.user.delete'],
  ['forget a contact', 'audience.contact.delete'],
  ['add a new customer', 'audience.contact.upsert'],
  ['upload a CSV of people', 'audience.contact.import'],
  ['how far is my import', 'audience.import.get'],
  ['find a contact by email', 'audience.contact.get'],
  ['how many people match a filter', 'audience.segment.preview'],
  ['block an address', 'audience.suppression.add'],
  ['why is an address blocked', 'audience.suppression.list'],
  ['create an API key', 'developers.key.create'],
  ['a key leaked, replace it', 'developers.key.rotate'],
  ['who am I', 'developers.key.current'],
  ['receive webhooks', 'developers.webhook.create'],
  ['test my webhook', 'developers.webhook.test'],
  ['which webhooks failed', 'developers.webhook.deliveries.list'],
  ['retry failed webhooks', 'developers.webhook.deliveries.replay'],
  ['what happened recently', 'developers.event.list'],
  ['who changed the account name', 'account.activity.list'],
  ['invite a colleague', 'account.member.invite'],
  ['change the colours of the pages', 'account.theme.draft.save'],
  ['rename my company', 'account.update'],
  ['send a newsletter', 'email.broadcast.send'],
  ['create a newsletter', 'email.broadcast.create'],
  ['verify my domain', 'email.domain.verify'],
  ['preview a template', 'email.template.preview'],
  ['list received mail', 'email.inbound.list'],
  ['how many mails bounced', 'email.stats.get'],
  ['create a welcome series', 'email.automation.create'],
];

describe('The search for operations over MCP', () => {
  needProducts('audience', 'auth', 'email');
  const platform = usePlatform();
  const client = new Client({ name: 'test', version: '1' });
  before(async () => {
    const { keys } = await platform.account();
    const transport = new StreamableHTTPClientTransport(new URL(`${platform.running.address}/mcp?mode=compact`), {
      requestInit: { headers: { Authorization: `Bearer ${keys.live.secret}` } },
    });
    await client.connect(Object.assign(transport, {}));
  });
  after(() => client.close());

  for (const [query, operation] of questions)
    it(`answers “${query}” with ${operation} first`, async () => {
      const answer = await client.callTool({ name: 'search_operations', arguments: { query } });
      expect(at(answer.structuredContent, 'operations', '0', 'operation')).to.equal(operation);
    });
});
