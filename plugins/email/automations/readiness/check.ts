import type { Environment } from '#core/kernel/caller/caller.js';
import type { Reading } from '#core/kernel/context.js';
import { causedBy, readinessOf, type ReadinessProblem, type ReadinessValue } from '#core/messaging/readiness.js';
import type { PublishedTemplate } from '#core/messaging/templates/published.js';
import { recipients, type TopicFacts } from '#plugins/audience/ports.js';
import { automationTexts } from '#plugins/sms/ports.js';
import { legalAddressMissing } from '../../senders/sender.js';
import { senderProblem } from '../../senders/sender-problem.js';
import type { AutomationRow } from '../../tables/automation.js';
import { senders } from '../../tables/sender.js';
import * as problem from './problems.js';
import { conditionTopics, contextKeys, type Condition } from '../conditions/condition.js';
import { filterOf, stepsOf } from '../store.js';
import { findStepTemplates } from '../steps/templates.js';
import { branchConditions, sendSteps, type SendStep } from '../steps/tree.js';
import { canEnrol, contextFields, mayHave } from '../triggers/trigger.js';
import { missingVariables, providedBy } from './missing-variables.js';

type Checkable = Pick<AutomationRow, 'id' | 'triggerEvent' | 'triggerFilter' | 'steps'>;

/** The objects that the send steps of the given automations refer to, looked up together. */
interface Known {
  /** The fields of the event that triggers each step, if they are known. */
  contexts: ReadonlyMap<SendStep, ReadonlySet<string> | undefined>;
  topics: ReadonlyMap<string, TopicFacts>;
  templates: ReadonlyMap<string, PublishedTemplate>;
  /** The problems of the sender addresses that cannot be used. */
  senderProblems: ReadonlyMap<string, ReadinessProblem>;
  /** The variables that each step needs and nothing provides. */
  missing: ReadonlyMap<SendStep, readonly string[]>;
  /** Text templates, by name; null if sms is not enabled. */
  textTemplates: ReadonlyMap<string, PublishedTemplate> | null;
  /** Why no text could be sent; null if one could, or if no step is on sms. */
  textProblem: ReadinessProblem | null;
  hasLegalAddress: boolean;
}

/**
 * Checks for problems that block the given automations. It needs the same few statements for one automation as for a
 * page of them.
 * @returns by the automation's id
 */
export async function checkReadiness(
  context: Reading,
  environment: Environment,
  rows: readonly Checkable[],
): Promise<ReadonlyMap<string, ReadinessValue>> {
  const sends = new Map(rows.map((row) => [row.id, sendSteps(stepsOf(row))]));
  const asked = new Map(rows.map((row) => [row.id, topicsAsked(row)]));
  const contexts = new Map(
    rows.flatMap((row) => {
      const fields = contextFields(context.deployment, row.triggerEvent);
      return (sends.get(row.id) ?? []).map(({ step }) => [step, fields] as const);
    }),
  );
  const known = await lookUp(
    context,
    environment,
    contexts,
    [...asked.values()].flat().map(({ topic }) => topic),
  );
  return new Map(
    rows.map((row) => {
      const steps = sends.get(row.id) ?? [];
      const trigger = canEnrol(context.deployment, row.triggerEvent)
        ? []
        : [causedBy('triggerEvent', problem.withoutContact(row.triggerEvent))];
      const isEmail = steps.some(({ step }) => step.channel === 'email');
      const address = isEmail && !known.hasLegalAddress ? [legalAddressMissing] : [];
      const sentUnder = new Set(steps.map(({ step }) => step.topic));
      const unknown = (asked.get(row.id) ?? []).filter(
        ({ topic }) => !known.topics.has(topic) && !sentUnder.has(topic),
      );
      return [
        row.id,
        readinessOf([
          ...trigger,
          ...address,
          ...steps.flatMap((place) => stepProblems(place, known)),
          ...unknown.map(({ topic, field }) => causedBy(field, problem.conditionTopicUnknown(topic))),
          ...fieldProblems(context, row),
        ]),
      ];
    }),
  );
}

/** All conditions of an automation, each with its path. */
function conditionsOf(row: Checkable): { condition: Condition; path: string }[] {
  const filter = filterOf(row);
  return [
    ...(filter === null ? [] : [{ condition: filter, path: 'triggerFilter' }]),
    ...branchConditions(stepsOf(row)),
  ];
}

/**
 * The topics that the conditions of an automation name, with the field that does. A condition may name an archived
 * topic: its consents stay.
 */
const topicsAsked = (row: Checkable): { topic: string; field: string }[] =>
  conditionsOf(row).flatMap(({ condition, path }) =>
    conditionTopics([condition]).map((topic) => ({ topic, field: `${path}.field` })),
  );

/** A problem for each field that the conditions of an automation test and that the triggering event does not have. */
const fieldProblems = ({ deployment }: Reading, row: Checkable): ReadinessProblem[] =>
  conditionsOf(row).flatMap(({ condition, path }) =>
    contextKeys([condition])
      .filter((key) => !mayHave(deployment, row.triggerEvent, key))
      .map((key) => {
        const fields = contextFields(deployment, row.triggerEvent);
        return causedBy(`${path}.field`, problem.conditionFieldUnknown(key, row.triggerEvent, fields));
      }),
  );

/** The readiness of one automation. */
export async function readinessFor(
  context: Reading,
  environment: Environment,
  row: Checkable,
): Promise<ReadinessValue> {
  return (await checkReadiness(context, environment, [row])).get(row.id) ?? readinessOf([]);
}

async function lookUp(
  context: Reading,
  environment: Environment,
  contexts: ReadonlyMap<SendStep, ReadonlySet<string> | undefined>,
  asked: readonly string[],
): Promise<Known> {
  const { db, use } = context;
  const steps = [...contexts.keys()];
  const distinct = (values: readonly string[]): string[] => [...new Set(values)];
  const emails = steps.filter(({ channel }) => channel === 'email');
  const texts = steps.filter(({ channel }) => channel === 'sms');
  const smsSteps = use(automationTexts);
  const senderAddresses = distinct(emails.flatMap(({ from }) => (from === undefined ? [] : [from])));
  const [topics, templates, textTemplates, textProblem, sender, ...unusable] = await Promise.all([
    use(recipients).topicFacts(environment.id, distinct([...steps.map(({ topic }) => topic), ...asked])),
    findStepTemplates(db, environment.id, distinct(emails.map(({ template }) => template))),
    smsSteps.templates(environment.id, distinct(texts.map(({ template }) => template))),
    texts.length > 0 ? smsSteps.problem(environment) : null,
    db.findOne(senders, { environmentId: environment.id }),
    ...senderAddresses.map((from) => senderProblem(context, environment, from, problem.edit)),
  ]);
  const templateOf = ({ channel, template }: SendStep): PublishedTemplate | undefined =>
    (channel === 'sms' ? textTemplates : templates)?.get(template);
  const missing = await missingVariables(context, environment.id, steps, templateOf, (step) => contexts.get(step));
  return {
    contexts,
    topics,
    templates,
    textTemplates,
    textProblem,
    senderProblems: new Map(
      senderAddresses.flatMap((from, index) => {
        const found = unusable[index];
        return found ? [[from, found] as const] : [];
      }),
    ),
    missing,
    hasLegalAddress: Boolean(sender?.legalAddress),
  };
}

function stepProblems({ step, path }: { step: SendStep; path: string }, known: Known): ReadinessProblem[] {
  const { channel, topic, template: name, from } = step;
  const at = (field: string, found: ReadinessProblem): ReadinessProblem => causedBy(`${path}.${field}`, found);
  const facts = known.topics.get(topic);
  const topicProblem =
    !facts || facts.archived
      ? [at('topic', problem.topicUnknown(topic, facts?.archived === true))]
      : facts.channels.includes(channel)
        ? []
        : [at('topic', problem.topicChannelMissing(topic, channel))];
  const unavailable = channel === 'sms' && known.textProblem ? [at('channel', known.textProblem)] : [];
  const templates = channel === 'sms' ? known.textTemplates : known.templates;
  if (!templates) return [...topicProblem, ...unavailable];
  const template = templates.get(name);
  const missing = known.missing.get(step) ?? [];
  const unusable = from === undefined ? undefined : known.senderProblems.get(from);
  return [
    ...topicProblem,
    ...unavailable,
    ...(template ? [] : [at('template', problem.templateNotPublished(channel, name))]),
    ...(missing.length > 0
      ? [at('template', problem.variablesMissing(name, missing, providedBy(step, known.contexts.get(step))))]
      : []),
    ...(unusable ? [at('from', unusable)] : []),
  ];
}
