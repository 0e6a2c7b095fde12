import type { TestAccount } from '#test/support/platform.js';

/** The draft of the text template that the examples of sms name. */
const draft = ({ svc }: TestAccount): Promise<unknown> =>
  svc.call('sms.template.draft.save', { template: 'order.shipped', locales: { en: { body: 'Order {{ number }}' } } });

/** What must stand before the examples of sms go through. */
export const smsPreparations: Readonly<Record<string, (account: TestAccount) => Promise<unknown>>> = {
  'sms.template.delete': draft,
  'sms.template.publish': draft,
};
