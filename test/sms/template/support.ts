import type { Api, InputOf, ReplyOf } from '#test/support/api.js';

type Locales = InputOf<'sms.template.draft.save'>['locales'];

/** Saves and publishes a template of texts. */
export async function publish(
  svc: Api,
  template: string,
  locales: Locales = { en: { body: 'Order {{ number }} of {{ firstName }} is on its way.' } },
): Promise<ReplyOf<'sms.template.publish'>> {
  await svc.call('sms.template.draft.save', { template, locales });
  return svc.call('sms.template.publish', { template });
}
