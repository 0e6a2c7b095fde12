import { useState } from 'preact/hooks';
import {
  addressOf,
  Button,
  Card,
  CodeEditor,
  has,
  Head,
  List,
  Loading,
  OperationButton,
  operationNamed,
  Refusal,
  refusalFor,
  rowAt,
  rowsAt,
  SaveProblem,
  Status,
  Tabs,
  textAt,
  useAction,
  useAddress,
  useEdits,
  useRead,
  type ResultOf,
  type Row,
  type ScreenProps,
} from '#core/surfaces/console/kit/index.js';
import { EditEffect } from './automation-edit.js';
import { markOf, marksOf } from './automation-marks.js';
import { StartForm } from './automation-start.js';
import { AutomationTree } from './automation-tree.js';
import { TrialDialog } from './automation-trial.js';
import { Checklist } from './readiness.js';
import { StepForm } from './step-form.js';
import { conditionText, stepAt, stepText, withInserted, withoutStep, withStep } from './steps.js';
import { automationTexts } from './texts.js';

type Reply = ResultOf<'email.automation.get'>;

/** Figures are counted from many rows. */
const figuresMs = 30_000;

const pollMs = ({ automation }: Reply) => (automation.status === 'active' ? 5_000 : undefined);

/** An automation: its tree, edited in place, with the runs on it. */
export default function AutomationScreen({ params: { automationId = '' } }: ScreenProps) {
  const isNew = automationId === 'new';
  const { data, error, again } = useRead('email.automation.get', { automationId }, { enabled: !isNew, pollMs });
  if (error)
    return (
      <>
        <Head title="Automation" />
        <Refusal error={error} again={again} />
      </>
    );
  if (!isNew && !data) return <Loading />;
  return <Canvas key={automationId} reply={data} />;
}

interface Definition {
  readonly name: string;
  readonly triggerEvent: string;
  readonly triggerFilter: Row | null;
  readonly steps: readonly Row[];
  readonly reenter: boolean;
}

const start: Definition = { name: '', triggerEvent: '', triggerFilter: null, steps: [], reenter: false };

const definitionOf = ({ automation: { name, triggerEvent, triggerFilter, steps, reenter } }: Reply): Definition => ({
  name,
  triggerEvent,
  triggerFilter: triggerFilter === null ? null : { ...triggerFilter },
  steps,
  reenter,
});

function parsed(text: string): Definition | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const row: Row = { ...value };
    return {
      name: textAt(row, 'name'),
      triggerEvent: textAt(row, 'triggerEvent'),
      triggerFilter: Object.keys(rowAt(row, 'triggerFilter')).length === 0 ? null : rowAt(row, 'triggerFilter'),
      steps: rowsAt(row, 'steps'),
      reenter: row['reenter'] === true,
    };
  } catch {
    return undefined;
  }
}

const panels = ['Step', 'JSON'] as const;

/** The condition of the start as the operations take it. */
const filterInput = (filter: Row | null) => {
  const op = (['eq', 'neq', 'exists', 'not_exists', 'gt', 'lt', 'contains'] as const).find(
    (each) => each === filter?.['op'],
  );
  const value = filter?.['value'];
  if (!filter || op === undefined) return null;
  return {
    field: textAt(filter, 'field'),
    op,
    ...(typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? { value } : {}),
  };
};

function Canvas({ reply }: { reply: Reply | undefined }) {
  const { go } = useAddress();
  const saved = reply ? definitionOf(reply) : start;
  const edits = useEdits(`automation ${reply?.automation.id ?? 'new'}`, saved, reply?.automation.updatedAt ?? null);
  const { value: definition, edit, isDirty } = edits;
  const [selected, select] = useState('trigger');
  const [panel, choose] = useState<(typeof panels)[number]>('Step');
  const [broken, setBroken] = useState(false);
  const [trying, setTrying] = useState(false);
  const action = useAction();
  const automation = reply?.automation;
  const step = stepAt(definition.steps, selected);
  const saving = automation ? 'email.automation.update' : 'email.automation.create';
  const lacking =
    definition.name.trim() === ''
      ? 'Give the automation a name first.'
      : definition.triggerEvent.trim() === ''
        ? 'Name the event that starts it first.'
        : definition.steps.length === 0
          ? 'Add a step first.'
          : isDirty
            ? undefined
            : 'Everything is saved.';
  const save = async (): Promise<void> => {
    const { name, triggerEvent, triggerFilter, steps, reenter } = definition;
    const input = {
      name: name.trim(),
      triggerEvent: triggerEvent.trim(),
      triggerFilter: filterInput(triggerFilter),
      steps: [...steps],
      reenter,
    };
    if (!automation) {
      const result = await action.run('email.automation.create', input, 'Automation created.');
      if (!result) return;
      edits.discard();
      go(addressOf(['email', 'automation', result.automation.id]), true);
      return;
    }
    // Only what was changed here, so that a save keeps what others have saved. A `reenter` that is left out is false.
    const { changes } = edits;
    const guarded = {
      automationId: automation.id,
      ...('name' in changes ? { name: input.name } : {}),
      ...('triggerEvent' in changes ? { triggerEvent: input.triggerEvent } : {}),
      ...('triggerFilter' in changes ? { triggerFilter: input.triggerFilter } : {}),
      ...('steps' in changes ? { steps: input.steps } : {}),
      reenter: input.reenter,
      ...edits.guard,
    };
    edits.begin();
    const result = await action.run('email.automation.update', guarded, 'Automation saved.');
    if (result) edits.saved(definition, result.automation.updatedAt);
  };
  const marks = marksOf(reply?.readiness.problems ?? [], saved.steps, definition.steps, action.problem);
  const figures = useRead(
    'email.automation.get',
    { automationId: automation?.id ?? '', figures: true },
    { enabled: automation !== undefined, pollMs: figuresMs },
  ).data?.figures;
  const canTry = definition.steps.length > 0 && has('audience.contact.list');
  const runs = operationNamed('email.automation.run.list');
  const shared = automation ? { input: { automationId: automation.id } } : undefined;
  return (
    <>
      <Head
        title={definition.name || 'New automation'}
        beside={automation ? <Status status={automation.status} /> : undefined}
        sub={
          reply
            ? `${reply.runs.waiting} waiting, ${reply.runs.held} held, ${reply.runs.completed} completed, ${reply.runs.failed} failed`
            : automationTexts.sub
        }
        actions={
          <>
            {automation ? (
              <Button
                icon="play"
                refused={canTry ? refusalFor('audience.contact.list') : automationTexts.noTrial}
                onClick={() => setTrying(true)}
              >
                Try with a person
              </Button>
            ) : null}
            {shared && automation?.status !== 'archived' ? (
              <OperationButton
                {...shared}
                operation="email.automation.archive"
                kind="danger"
                done="Automation archived"
                action="Archive automation"
              >
                <p>{automationTexts.archive}</p>
              </OperationButton>
            ) : null}
            {shared && automation?.status === 'active' ? (
              <OperationButton
                {...shared}
                operation="email.automation.pause"
                done="Automation paused"
                action="Pause automation"
              >
                <p>{automationTexts.pause}</p>
              </OperationButton>
            ) : null}
            {shared && (automation?.status === 'draft' || automation?.status === 'paused') && !isDirty ? (
              <OperationButton
                {...shared}
                operation="email.automation.activate"
                done="Automation activated"
                action="Activate automation"
              >
                <p>{automationTexts.activate}</p>
              </OperationButton>
            ) : null}
            <Button kind="main" busy={action.busy} refused={refusalFor(saving) ?? lacking} onClick={save}>
              {automation ? 'Save automation' : 'Create automation'}
            </Button>
          </>
        }
      />
      <SaveProblem error={action.problem} busy={action.busy} edits={edits} onMerged={action.clear} />
      <div class="two canvas">
        <section class="card" aria-label="Tree">
          <AutomationTree
            trigger={{
              title: definition.triggerEvent === '' ? 'Choose the event that starts it' : definition.triggerEvent,
              detail: definition.triggerFilter
                ? `if ${conditionText(definition.triggerFilter)}`
                : definition.reenter
                  ? 'each time'
                  : 'once per contact',
            }}
            steps={definition.steps}
            waiting={reply?.runs.byStep ?? {}}
            marks={marks}
            figures={figures?.steps}
            selected={selected}
            onSelect={(place) => {
              select(place);
              choose('Step');
            }}
            onInsert={(list, index, added) => {
              edit({ ...definition, steps: withInserted(definition.steps, list, index, added) });
              select(`${list}[${index}]`);
              choose('Step');
            }}
          />
        </section>
        <div class="stack">
          <Tabs label="How it is edited" tabs={panels} chosen={panel} onChoose={choose} />
          {panel === 'JSON' ? (
            <Card title="Definition" flush>
              <p class="in soft t-small">{broken ? automationTexts.notJson : automationTexts.json}</p>
              <CodeEditor
                label="Definition of the automation"
                kind="json"
                value={JSON.stringify(definition, null, 2)}
                onChange={(text) => {
                  const next = parsed(text);
                  setBroken(next === undefined);
                  if (next) edit(next);
                }}
              />
            </Card>
          ) : step ? (
            <StepForm
              key={selected}
              step={step}
              event={definition.triggerEvent}
              errorOf={markOf(marks, selected)}
              onChange={(next) => edit({ ...definition, steps: withStep(definition.steps, selected, next) })}
              onRemove={() => {
                edit({ ...definition, steps: withoutStep(definition.steps, selected) });
                select('trigger');
              }}
            />
          ) : (
            <StartForm definition={definition} errorOf={markOf(marks, 'trigger')} onChange={edit} />
          )}
          {automation && isDirty ? (
            <EditEffect
              automationId={automation.id}
              saved={saved.steps}
              edited={definition.steps}
              byStep={reply.runs.byStep}
            />
          ) : null}
          {reply ? <Checklist readiness={reply.readiness} /> : null}
        </div>
      </div>
      {trying && automation ? (
        <TrialDialog automationId={automation.id} steps={definition.steps} onClose={() => setTrying(false)} />
      ) : null}
      {automation && runs ? (
        <List
          operation={runs}
          fixed={{ automationId: automation.id }}
          filters={['status']}
          live
          columns={[
            {
              title: 'Contact',
              field: 'contactId',
              show: nameOf,
            },
            { title: 'Status', field: 'status' },
            { title: 'At', field: 'position', show: (row) => titleAt(saved.steps, textAt(row, 'position')) },
            { title: 'Goes on', field: 'nextAt' },
            { title: 'Why it ended', field: 'endReason' },
            { title: 'Started', field: 'startedAt' },
          ]}
          hrefOf={(row) => addressOf(['email', 'automation', automation.id, 'run', textAt(row, 'id')])}
          empty={<p class="in soft">{automationTexts.runs}</p>}
        />
      ) : null}
    </>
  );
}

/** Whose run it is. */
function nameOf(row: Row): string {
  const name = [textAt(row, 'contact.firstName'), textAt(row, 'contact.lastName')]
    .filter((part) => part !== '')
    .join(' ');
  return (
    name || textAt(row, 'contact.email') || textAt(row, 'contact.phone') || `…${textAt(row, 'contactId').slice(-8)}`
  );
}

/** A step in words; its place if the step is gone. */
function titleAt(steps: readonly Row[], place: string): string {
  const step = stepAt(steps, place);
  if (!step) return place;
  const { title, detail } = stepText(step);
  return title === 'If' ? `${title} ${detail}` : title;
}
