import { expect } from 'chai';
import { topicOf } from '#test/audience/support.js';
import { useMail } from '#test/email/support.js';
import type { Api } from '#test/support/api.js';
import { days, minutes } from '#test/support/clock.js';
import { needProducts } from '#test/support/products.js';
import type { TestAccount } from '#test/support/platform.js';

/** A running svc whose topics can have subscribe forms, and what a visitor does there. Call it inside `describe`. */
export function useSubscribeForm() {
  needProducts('audience');
  const mail = useMail();
  const { platform } = mail;
  beforeEach(() => platform.clock.advance(days(1) + minutes(1)));

  /** An address of the deployment, on the port of this test. */
  const here = (address: string): string =>
    address === '' ? '' : address.replace(platform.running.services.deployment.baseUrl, platform.running.address);
  /** An account whose topic has a form. */
  const withForm = async (
    subscribeForm: { doubleOptIn?: boolean; redirectUrl?: string } = {},
  ): Promise<TestAccount & { url: string }> => {
    const account = await platform.account();
    const topic = await topicOf(account.svc, { description: 'Once a month.', subscribeForm });
    const url = topic.subscribeForm?.url ?? '';
    expect(url).to.equal(`${platform.running.services.deployment.baseUrl}/subscribe/${account.live.id}/news`);
    return { ...account, url: here(url) };
  };
  const visit = async (url: string, form?: Record<string, string>, headers: Record<string, string> = {}) => {
    const answer = await fetch(url, {
      headers: { 'Accept-Language': 'en', ...headers },
      redirect: 'manual',
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    const location = answer.headers.get('location');
    return { status: answer.status, headers: answer.headers, location, body: await answer.text() };
  };
  const mailsTo = (address: string) => mail.smtp.received.filter(({ recipients }) => recipients.includes(address));
  /** The link in the last mail to an address. */
  const linkTo = async (address: string): Promise<string> => {
    await platform.settled();
    const text = mailsTo(address).at(-1)?.parsed.text ?? '';
    return here(/https?:\/\/\S+\/subscribe\/confirm\?token=[\w.-]+/.exec(text)?.[0] ?? '');
  };
  const ask = async (url: string, email: string, more: Record<string, string> = {}): Promise<string> => {
    expect((await visit(url, { email, ...more })).status).to.equal(303);
    return linkTo(email);
  };
  const consentOf = async (svc: Api, email: string) => {
    const { contact, consents, suppressions, reach } = await svc.call('audience.contact.get', { email });
    const { consents: records } = await svc.call('audience.consent.list', { contactId: contact.id });
    return { contact, state: consents[0]?.state, records, suppressions, reach };
  };
  const isUnknown = async (svc: Api, email: string): Promise<boolean> =>
    (await svc.refusal('audience.contact.get', { email })).code === 'not_found';
  const outcomeOf = async (url: string, form: Record<string, string>): Promise<string> => {
    const { location } = await visit(url, form);
    return new URL(location ?? '', url).searchParams.get('done') ?? '';
  };
  return { mail, platform, here, withForm, visit, mailsTo, linkTo, ask, consentOf, isUnknown, outcomeOf };
}
