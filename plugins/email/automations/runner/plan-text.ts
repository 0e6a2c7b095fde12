import { jsonRecord } from '#core/runtime/database/json.js';
import { contacts } from '#plugins/audience/ports.js';
import { automationTexts, type PlannedText } from '#plugins/sms/ports.js';
import type { SendStep } from '../steps/tree.js';
import { textVariablesFor } from '../steps/variables.js';
import type { LoadedRun } from './load.js';
import type { Action, PlanContext, RunAt } from './step.js';

/** Plans the send steps on sms of one environment: the product sms decides who may get the text, and its content. */
export async function planTexts(
  { use }: PlanContext,
  group: readonly RunAt<SendStep>[],
): Promise<(readonly [LoadedRun, Action])[]> {
  const environment = group[0]?.loaded.environment;
  if (!environment) return [];
  const people = await use(contacts).facts(
    environment.id,
    group.map(({ loaded }) => loaded.run.contactId),
  );
  const known = group.flatMap((item) => {
    const contact = people.get(item.loaded.run.contactId);
    return contact ? [{ ...item, contact }] : [];
  });
  const texts = await use(automationTexts).plan(
    environment,
    known.map(({ step, contact, loaded }) => ({
      template: step.template,
      topic: step.topic,
      contact,
      variables: textVariablesFor(step, contact, jsonRecord(loaded.run.context)),
    })),
  );
  const planned = new Map(known.map(({ loaded, next }, index) => [loaded, actionOf(texts[index], next)]));
  return group.map(({ loaded }) => [loaded, planned.get(loaded) ?? { kind: 'erased' }]);
}

function actionOf(planned: PlannedText | undefined, to: number | null): Action {
  switch (planned?.kind) {
    case 'text':
      return { kind: 'text', text: planned.text, to };
    case 'fail':
      return planned;
    default:
      return {
        kind: 'suppress',
        channel: 'sms',
        reason: planned?.reason ?? 'sms_unavailable',
        by: planned?.by ?? null,
        to,
      };
  }
}
