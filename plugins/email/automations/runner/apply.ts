import { isRefusal } from '#core/kernel/errors/errors.js';
import type { FullContext } from '#core/kernel/context.js';
import { automationTexts, type StepPlace } from '#plugins/sms/ports.js';
import type { PropertyOutcome } from '#plugins/audience/ports.js';
import { acceptMails } from '../../messages/accept.js';
import { presentRun } from '../runs/status.js';
import { endedRun, pathOf, runAt, taken, type Applied, type CurrentStep } from './after-step.js';
import { emitSent, emitSuppressed, runContext, type Suppression } from './step-events.js';
import type { PlannedStep } from './step.js';

/**
 * Does what a step does, in the caller's transaction, and moves its run.
 * @param property the outcome of setting the step's property
 * @returns the run to store, and the entry of its history
 */
export async function applyAction(
  context: FullContext,
  { loaded, plan: { at, action } }: PlannedStep,
  property: PropertyOutcome | undefined,
): Promise<Applied> {
  const step: CurrentStep = { loaded, at, now: context.clock.now() };
  const { run, environment } = loaded;

  switch (action.kind) {
    case 'gone':
      return { run: endedRun(step, 'completed', 'steps_changed') };
    case 'erased':
      return erased(step);
    case 'fail':
      return failed(step, action.reason, action.detail);
    case 'enter':
      return { run: { ...run, position: pathOf(step), entered: true, nextAt: action.until } };
    case 'move':
      return taken(step, runAt(step, action.to), action.outcome);
    case 'set':
      if (property === 'no_contact' || property === undefined) return erased(step);
      if (property === 'refused') return failed(step, 'too_many_properties');
      return taken(step, runAt(step, action.to), property);
    case 'suppress':
      if (action.channel === 'email')
        emitSuppressed(context, loaded, { step: pathOf(step), reason: action.reason, by: action.by });
      else context.use(automationTexts).suppressed(environment, action, textPlace(step));
      return suppressed(step, action, action.to);
    case 'text': {
      const messageId = await context.use(automationTexts).accept(environment, action.text, textPlace(step));
      if (messageId === null) return suppressed(step, capReached, action.to);
      return taken(step, runAt(step, action.to), 'sent', { messageId });
    }
    case 'mail': {
      const stored = await acceptMails(runContext(context, run), [action.mail]);
      if (isRefusal(stored)) {
        emitSuppressed(context, loaded, { step: pathOf(step), ...capReached });
        return suppressed(step, capReached, action.to);
      }
      const [{ message } = { message: null }] = stored;
      if (!message) throw new Error('The mail was not stored.');
      emitSent(context, loaded, { step: pathOf(step), messageId: message.id });
      return taken(step, runAt(step, action.to), 'sent', { messageId: message.id });
    }
  }
}

/** The contact does not exist any more: the run ends, and keeps nothing of the event that started it. */
const erased = (step: CurrentStep): Applied => ({
  run: { ...endedRun(step, 'cancelled', 'contact_erased'), context: '{}' },
});

const failed = (step: CurrentStep, reason: string, detail: string | null = null): Applied =>
  taken(step, endedRun(step, 'failed', reason), 'failed', { reason, detail });

const capReached = { reason: 'spending_cap_reached', by: null };

const suppressed = (step: CurrentStep, { reason, by }: Suppression, to: number | null): Applied =>
  taken(step, runAt(step, to), 'suppressed', { reason, blockedBy: by });

/** The origin of a text, for the product that sends it and writes its events. */
const textPlace = (step: CurrentStep): StepPlace => {
  const { run, automation } = step.loaded;
  return {
    step: pathOf(step),
    automationId: automation.id,
    run: presentRun(run, { automation, isClosed: false }),
    activityId: run.activityId,
  };
};
