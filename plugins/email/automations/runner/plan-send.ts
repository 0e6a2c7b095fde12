import { turnsOf } from '#core/kernel/caller/share.js';
import type { Turns } from '#core/runtime/turn-tree.js';
import { groupBy } from '#core/messaging/group-by.js';
import { pickLocale } from '#core/messaging/templates/locale.js';
import type { PublishedTemplate } from '#core/messaging/templates/published.js';
import { jsonRecord } from '#core/runtime/database/json.js';
import { directory } from '#plugins/account/ports.js';
import { contacts, type ContactFacts } from '#plugins/audience/ports.js';
import { withFooter } from '../../layout/footer.js';
import { mailEligibility, type AddressEligibility } from '../../messages/eligibility.js';
import { isVerifiedSender } from '../../senders/verified.js';
import { senders, type SenderRow } from '../../tables/sender.js';
import { loadTemplateVersion, renderTemplateContent } from '../../templates/render.js';
import type { Content, RenderedContent } from '../../templates/content.js';
import { presentReason } from '../../messages/present.js';
import { findStepTemplates } from '../steps/templates.js';
import type { SendStep } from '../steps/tree.js';
import { variablesFor } from '../steps/variables.js';
import { planTexts } from './plan-text.js';
import type { LoadedRun } from './load.js';
import { byEnvironment, type Action, type PlanContext, type RunAt } from './step.js';
import { stepFailure, type StepFailure } from '#core/messaging/templates/step-failure.js';

type Planned = readonly [LoadedRun, Action];

/** A send step for a contact who may get it. */
interface Sendable extends RunAt<SendStep> {
  readonly contact: ContactFacts;
  readonly address: string;
  readonly eligibility: AddressEligibility;
  readonly template: PublishedTemplate;
  readonly from: string;
  readonly locale: string;
}

/** Plans send steps: who may get the message, and its content. */
export async function planSends(context: PlanContext, steps: readonly RunAt<SendStep>[]): Promise<Planned[]> {
  const planned: Planned[] = [];
  const isText = ({ step }: RunAt<SendStep>): boolean => step.channel === 'sms';
  for (const group of byEnvironment(steps)) {
    planned.push(...(await planTexts(context, group.filter(isText))));
    planned.push(
      ...(await planGroup(
        context,
        group.filter((each) => !isText(each)),
      )),
    );
  }
  return planned;
}

/** Plans the send steps on email of one environment. */
async function planGroup(context: PlanContext, group: readonly RunAt<SendStep>[]): Promise<Planned[]> {
  const environment = group[0]?.loaded.environment;
  if (!environment) return [];
  const distinct = (values: readonly string[]): string[] => [...new Set(values)];
  const froms = distinct(group.flatMap(({ step }) => step.from ?? []));
  const [people, templates, sender, projectLocale, ...verified] = await Promise.all([
    context.use(contacts).facts(environment.id, distinct(group.map(({ loaded }) => loaded.run.contactId))),
    findStepTemplates(context.db, environment.id, distinct(group.map(({ step }) => step.template))),
    context.db.findOne(senders, { environmentId: environment.id }),
    context.use(directory).locale(environment.projectId),
    ...froms.map((from) => isVerifiedSender(context, environment, from)),
  ]);
  const allowed = new Set(froms.filter((_, index) => verified[index]));
  const planned: Planned[] = [];
  const sendable: Sendable[] = [];
  const plan = ({ loaded }: RunAt<SendStep>, action: Action): void => void planned.push([loaded, action]);

  for (const items of groupBy(group, ({ step }) => step.topic)) {
    const topic = items[0]?.step.topic ?? null;
    const addressed = items.flatMap((item) => {
      const contact = people.get(item.loaded.run.contactId);
      if (!contact) plan(item, { kind: 'erased' });
      else if (contact.email === null)
        plan(item, { kind: 'suppress', channel: 'email', reason: 'no_address', by: null, to: item.next });
      else return [{ ...item, contact, address: contact.email }];
      return [];
    });
    const addresses = addressed.map(({ address }) => address);
    const eligible = await mailEligibility(context, environment, { topic, isSystem: false }, addresses);
    for (const [index, item] of addressed.entries()) {
      const eligibility = eligible[index];
      const template = templates.get(item.step.template);
      const { from } = item.step;
      if (!eligibility || eligibility.blockReason !== null)
        plan(item, {
          kind: 'suppress',
          channel: 'email',
          reason: presentReason(eligibility?.blockReason ?? null) ?? 'no_consent',
          by: eligibility?.blockedBy ?? null,
          to: item.next,
        });
      else if (!template) plan(item, { kind: 'fail', reason: 'template_not_published' });
      else if (from === undefined || !allowed.has(from)) plan(item, { kind: 'fail', reason: 'sender_not_verified' });
      else if (!sender?.legalAddress) plan(item, { kind: 'fail', reason: 'legal_address_missing' });
      else {
        const locale = pickLocale(template.locales, [item.contact.locale, projectLocale], template.defaultLocale);
        sendable.push({ ...item, eligibility, template, from, locale });
      }
    }
  }
  for (const [item, rendered] of await renderAll(context, turnsOf(environment), sendable, sender))
    plan(item, rendered.ok ? mailAction(item, rendered.content, sender) : { kind: 'fail', ...failureOf(rendered) });
  return planned;
}

/**
 * Renders mails with the footer of mail to subscribers. The mails of one template, language and step are rendered
 * together.
 */
async function renderAll(
  { db }: PlanContext,
  turns: Turns,
  items: readonly Sendable[],
  sender: SenderRow | null,
): Promise<(readonly [Sendable, RenderedContent])[]> {
  const results: (readonly [Sendable, RenderedContent])[] = [];
  const groups = groupBy(items, (item) => `${item.template.versionId} ${item.locale} ${item.step.subject ?? ''}`);
  for (const group of groups) {
    const [first] = group;
    if (!first) continue;
    const version = await loadTemplateVersion(db, first.template.versionId);
    const footers = group.map(({ eligibility }) => ({
      preferencesUrl: eligibility.preferencesUrl ?? '',
      legalAddress: sender?.legalAddress ?? '',
    }));
    const variables = group.map(({ step, contact, loaded }, index) =>
      variablesFor(step, contact, jsonRecord(loaded.run.context), footers[index] ?? {}),
    );
    const { subject } = first.step;
    const rendered = await renderTemplateContent(turns, version, first.locale, variables, {
      subject,
      bulk: true,
    });
    for (const [index, item] of group.entries()) {
      const [result, footer] = [rendered[index], footers[index]];
      if (!result || !footer) continue;
      const { locale } = first;
      results.push([
        item,
        result.ok ? { ...result, content: withFooter(result.content, { ...footer, locale }) } : result,
      ]);
    }
  }
  return results;
}

const mailAction = (item: Sendable, content: Content, sender: SenderRow | null): Action => ({
  kind: 'mail',
  to: item.next,
  mail: {
    environment: item.loaded.environment,
    isSystem: false,
    from: { address: item.from, name: sender?.fromName ?? null },
    replyTo: sender?.replyTo ? [sender.replyTo] : [],
    to: [item.address],
    cc: [],
    bcc: [],
    names: {},
    content,
    attachments: [],
    headers: {},
    tags: {},
    template: { name: item.template.name, version: item.template.version, locale: item.locale },
    automation: { id: item.loaded.automation.id, runId: item.loaded.run.id },
    topic: item.step.topic,
    personId: null,
    sendAfter: null,
    eligibility: [item.eligibility],
  },
});

/** Why a run failed whose mail could not be rendered. */
const failureOf = (rendered: Exclude<RenderedContent, { ok: true }>): StepFailure =>
  'subjectProblem' in rendered
    ? { reason: 'template_invalid', detail: `The rendered subject ${rendered.subjectProblem}.` }
    : stepFailure(rendered);
