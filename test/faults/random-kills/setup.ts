import { textAt } from '../support/call.js';
import { parseJson } from '#core/runtime/json.js';
import { createCaller, type Caller, type CallerOptions } from './client.js';
import type { Deployment } from './deployment.js';
import type { Journal } from './journal.js';

const locales = { en: { subject: 'News for {{ contact.firstName }}', text: 'Hello {{ contact.email }}' } };

/** What a new deployment needs before the first kill. */
export async function prepare(deployment: Deployment, options: CallerOptions): Promise<void> {
  const { write } = createCaller(await deployment.liveKey(), options);
  await write('0-sender', 'email.sender.set', { legalAddress: 'Hauptstraße 1, Berlin' });
  await write('0-draft', 'email.template.draft.save', { template: 'news', locales });
  await write('0-publish', 'email.template.publish', { template: 'news' });
  const most = { max: 100, windowSeconds: 60 };
  await write('0-auth', 'auth.settings.set', {
    rateLimits: { startPerIdentifier: most, startPerIp: most, completePerIp: most },
    botProtection: { enabled: false },
  });
  // Only a number of the environment receives texts for it.
  await write('0-number', 'sms.number.assign', { country: 'US' });
  const url = `https://127.0.0.1:${deployment.webhooks.port}`;
  await write('0-all', 'developers.webhook.create', { url: `${url}/all`, eventTypes: [] });
  await write('0-some', 'developers.webhook.create', { url: `${url}/some`, eventTypes: ['auth.*', 'sms.*'] });
}

/** The key of a client: the one of an earlier part of the run, or a new one. */
export async function keyFor(
  name: string,
  permissions: readonly string[],
  { write }: Caller,
  { entries }: Journal,
): Promise<string> {
  const label = `0-key-${name}`;
  const earlier = entries.get(label)?.answer;
  if (earlier?.accepted === true) return textAt(parseJson(earlier.text), 'result', 'plaintext');
  const { result } = await write(label, 'developers.key.create', { name, permissions: [...permissions] });
  return textAt(result, 'plaintext');
}
