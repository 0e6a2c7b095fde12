import { bulkTurns, turnsOf } from '#core/kernel/caller/share.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { Reading } from '#core/kernel/context.js';
import { groupBy } from '#core/messaging/group-by.js';
import { publishedContents, type PublishedContent } from '#core/messaging/templates/published-contents.js';
import { stepFailure } from '#core/messaging/templates/step-failure.js';
import { directory } from '#plugins/account/ports.js';
import { renderBodies, type RenderedBody } from '../messages/content.js';
import { isAllowed } from '../messages/destination.js';
import { checkNumbers, type NumberEligibility } from '../messages/eligibility.js';
import { presentReason } from '../messages/present.js';
import type { PlannedText, TextStep } from '../ports.js';
import { countSegments } from '../segments.js';
import { loadSettings } from '../settings/load.js';
import type { TemplateBody } from '../tables/template.js';
import { publishedTexts } from '../templates/render.js';

/** A step for a contact who may get the text. */
interface Sendable {
  readonly step: TextStep;
  readonly to: string;
  readonly from: string | null;
  readonly eligibility: NumberEligibility;
  readonly found: PublishedContent<TemplateBody>;
}

/**
 * Plans the send steps of one environment on sms: who may get the text, and its content.
 * @returns one plan per step, in their order
 */
export async function planTexts(
  context: Reading,
  environment: Environment,
  steps: readonly TextStep[],
): Promise<PlannedText[]> {
  const { db, use } = context;
  const planned = new Map<TextStep, PlannedText>();
  const requests = steps.map(({ template: name, contact }) => ({ name, locale: contact.locale ?? undefined }));
  const [contents, { maxSegments }] = await Promise.all([
    publishedContents(db, environment.id, publishedTexts, requests, () => use(directory).locale(environment.projectId)),
    loadSettings(db, environment.id),
  ]);
  const contentOf = new Map(steps.map((step, index) => [step, contents[index] ?? null]));
  const sendable: Sendable[] = [];
  for (const group of groupBy(steps, ({ topic }) => topic)) {
    const topic = group[0]?.topic ?? null;
    const addressed = group.flatMap((step) => {
      if (step.contact.phone !== null) return [{ step, to: step.contact.phone }];
      planned.set(step, noAddress);
      return [];
    });
    const numbers = addressed.map(({ to }) => to);
    const { eligibility: all, from } = await checkNumbers(context, environment, { topic, isSystem: false }, numbers);
    for (const [index, { step, to }] of addressed.entries()) {
      const eligibility = all[index];
      const found = contentOf.get(step);
      if (!eligibility || eligibility.blockReason !== null)
        planned.set(step, {
          kind: 'suppress',
          reason: presentReason(eligibility?.blockReason ?? null) ?? 'no_consent',
          by: eligibility?.blockedBy ?? null,
        });
      else if (!isAllowed(context, environment, to))
        planned.set(step, { kind: 'suppress', reason: 'destination_not_allowed', by: null });
      else if (!found) planned.set(step, { kind: 'fail', reason: 'template_not_published' });
      else sendable.push({ step, to, from, eligibility, found });
    }
  }
  const rendered = await renderBodies(
    bulkTurns(turnsOf(environment)),
    sendable.map(({ step, found }) => ({
      body: found.content.body,
      variables: step.variables,
      locale: found.template.locale,
    })),
  );
  for (const [index, item] of sendable.entries()) {
    const result = rendered[index];
    if (!result) throw new Error('The render pool returned fewer texts than it was given.');
    planned.set(item.step, result.ok ? textOf(item, result.body, maxSegments) : failed(result));
  }
  return steps.map((step) => planned.get(step) ?? noAddress);
}

const noAddress: PlannedText = { kind: 'suppress', reason: 'no_address', by: null };

const failed = (result: Exclude<RenderedBody, { ok: true }>): PlannedText => ({
  kind: 'fail',
  ...('bodyProblem' in result
    ? { reason: 'template_invalid', detail: `The rendered text ${result.bodyProblem}.` }
    : stepFailure(result)),
});

function textOf({ step, to, from, eligibility, found }: Sendable, body: string, maxSegments: number): PlannedText {
  const counted = countSegments(body);
  if (counted.segments > maxSegments) return { kind: 'fail', reason: 'sms_too_long' };
  const { topic } = step;
  return { kind: 'text', text: { to, from, body, counted, topic, template: found.template, eligibility } };
}
