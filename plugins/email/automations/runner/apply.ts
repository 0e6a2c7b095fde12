import { isRefusal } from '#core/kernel/errors/errors.js';
import type { FullContext } from '#core/kernel/context.js';
import type { StepFailure } from '#core/messaging/templates/step-failure.js';
import { automationTexts, type StepPlace } from '#plugins/sms/ports.js';
import type { PropertyOutcome } from '#plugins/audience/ports.js';
import { acceptMails } from '../../messages/accept.js';
import type { HistoryRow, RunRow, StepOutcome } from '../../tables/automation.js';
import { presentRun } from '../runs/status.js';
import { stepIndexOf } from '../store.js';
import type { LoadedRun } from './load.js';
import type { PlannedStep } from './step.js';

/** A run after a step, and what its history says about it. */
export interface Applied {
  readonly run: RunRow;
  readonly entry?: HistoryRow;
}

/**
 * Does what a step does, and moves its run.
 * @param property what became of the property that the step sets
 */
export async function applyAction(
  context: FullContext,
  { loaded, plan: { at, action } }: PlannedStep,
  property: PropertyOutcome | undefined,
): Promise<Applied> {
  const { run } = loaded;
  const now = context.clock.now();
  const end = (status: 'completed' | 'cancelled' | 'failed', endReason: string | null): RunRow => ({
    ...run,
    position: at?.path ?? run.position,
    status,
    nextAt: null,
    endedAt: now,
    endReason,
  });
  const taken = (
    after: RunRow,
    outcome: StepOutcome,
    {
      reason = null,
      detail = null,
      messageId = null,
    }: Partial<Pick<HistoryRow, 'reason' | 'detail' | 'messageId'>> = {},
  ): Applied => ({
    run: { ...after, stepsTaken: run.stepsTaken + 1 },
    entry: {
      runId: run.id,
      position: run.stepsTaken,
      step: at?.path ?? run.position,
      type: at?.type ?? '',
      at: now,
      outcome,
      reason,
      detail,
      messageId,
    },
  });
  /** Moves on to a step, or to the end. */
  const goTo = (to: number | null): RunRow =>
    to === null
      ? end('completed', null)
      : {
          ...run,
          stepId: to,
          entered: false,
          position: stepIndexOf(loaded.automation).get(to)?.path ?? run.position,
          nextAt: now,
        };
  const failed = ({ reason, detail }: StepFailure): Applied =>
    taken(end('failed', reason), 'failed', { reason, detail: detail ?? null });
  const suppressed = (reason: string, to: number | null): Applied => {
    emitAbout(context, loaded, 'email.automation.suppressed', { step: at?.path ?? run.position, reason });
    return taken(goTo(to), 'suppressed', { reason });
  };
  const textPlace = (): StepPlace => ({
    step: at?.path ?? run.position,
    automationId: loaded.automation.id,
    run: presentRun(run, { automation: loaded.automation, isClosed: false }),
    activityId: run.activityId,
  });
  const erased = (): Applied => ({ run: { ...end('cancelled', 'contact_erased'), context: '{}' } });

  switch (action.kind) {
    case 'gone':
      return { run: end('completed', 'steps_changed') };
    case 'erased':
      return erased();
    case 'fail':
      return failed(action);
    case 'enter':
      return { run: { ...run, position: at?.path ?? run.position, entered: true, nextAt: action.until } };
    case 'move':
      return taken(goTo(action.to), action.outcome);
    case 'set':
      if (property === 'no_contact' || property === undefined) return erased();
      if (property === 'refused') return failed({ reason: 'too_many_properties' });
      return taken(goTo(action.to), property);
    case 'suppress':
      if (action.channel === 'email') return suppressed(action.reason, action.to);
      context.use(automationTexts).suppressed(loaded.environment, action.reason, textPlace());
      return taken(goTo(action.to), 'suppressed', { reason: action.reason });
    case 'text': {
      const messageId = await context.use(automationTexts).accept(loaded.environment, action.text, textPlace());
      return messageId === null
        ? taken(goTo(action.to), 'suppressed', { reason: 'spending_cap_reached' })
        : taken(goTo(action.to), 'sent', { messageId });
    }
    case 'mail': {
      const stored = await acceptMails(contextOf(context, run), [action.mail]);
      if (isRefusal(stored)) return suppressed('spending_cap_reached', action.to);
      const [{ message } = { message: null }] = stored;
      if (!message) throw new Error('The mail was not stored.');
      emitAbout(context, loaded, 'email.automation.sent', { step: at?.path ?? run.position, messageId: message.id });
      return taken(goTo(action.to), 'sent', { messageId: message.id });
    }
  }
}

/** The context of one run's step: its events belong to the call that led to the run, and wait behind those of single calls. */
function contextOf(context: FullContext, { activityId }: RunRow): FullContext {
  return {
    ...context,
    emit: (name, event, environment) => context.emit(name, { lane: 'bulk', activityId, ...event }, environment),
    startedBy: () => activityId,
  };
}

interface StepData {
  'email.automation.sent': { step: string; messageId: string };
  'email.automation.suppressed': { step: string; reason: string };
}

function emitAbout<N extends keyof StepData>(
  context: FullContext,
  { run, automation, environment }: LoadedRun,
  name: N,
  data: StepData[N],
): void {
  const about = { subjectId: run.id, personId: run.contactId };
  const shown = presentRun(run, { automation, isClosed: false });
  const { emit } = contextOf(context, run);
  if (name === 'email.automation.sent' && 'messageId' in data)
    emit('email.automation.sent', { ...about, data: { ...data, run: shown } }, environment);
  if (name === 'email.automation.suppressed' && 'reason' in data)
    emit('email.automation.suppressed', { ...about, data: { ...data, run: shown } }, environment);
}
