import type { Api, InputOf, ReplyOf } from '#test/support/api.js';

type Locales = NonNullable<InputOf<'email.template.draft.save'>['locales']>;

/** A complete template in one language; `given` overrides its texts. */
export const texts = (given: Partial<NonNullable<Locales[string]>> = {}): NonNullable<Locales[string]> => ({
  subject: 'Order {{ number }}',
  html: '<h1>Hello {{ firstName }}</h1><p>Order {{ number }} is on its way.</p>',
  ...given,
});

/** Saves and publishes a template. */
export async function publish(
  svc: Api,
  template: string,
  locales: Locales = { en: texts() },
): Promise<ReplyOf<'email.template.publish'>> {
  await svc.call('email.template.draft.save', { template, locales });
  return svc.call('email.template.publish', { template });
}
