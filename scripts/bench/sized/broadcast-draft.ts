import { call } from '../call.js';
import { isRecord } from '../json.js';
import type { Stage } from '../stage.js';
import { addSubscribers } from './subscribers.js';

/** Adds contacts that granted a topic, and a draft broadcast to all of them whose content takes 2 KiB. */
export async function draftBroadcast(
  stage: Stage,
  recipients: number,
): Promise<{ broadcastId: string; readiness: unknown }> {
  await addSubscribers(stage, 'email', recipients);
  await call(stage, 'audience.topic.create', { key: 'bench', name: 'Bench' });
  await call(stage, 'email.sender.set', { legalAddress: 'Hauptstraße 1, Berlin' });
  const { ownAddress } = await call(stage, 'email.sender.get', {});
  const text = `Hello {{ contact.firstName }}. ${'Hello. '.repeat(230)}{{ preferencesUrl }} {{ legalAddress }}`;
  await call(stage, 'email.template.draft.save', { template: 'bench', locales: { en: { subject: 'News', text } } });
  await call(stage, 'email.template.publish', { template: 'bench' });
  const input = { name: 'Bench', template: 'bench', topic: 'bench', from: ownAddress };
  const { broadcast, readiness } = await call(stage, 'email.broadcast.create', input);
  return { broadcastId: isRecord(broadcast) ? String(broadcast['id']) : '', readiness };
}
