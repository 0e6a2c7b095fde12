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
  TextInput,
  useAction,
  useAddress,
  useEdits,
  useRead,
  type ResultOf,
  type Row,
  type ScreenProps,
} from '#core/surfaces/console/kit/index.js';
import { AutomationTree } from './automation-tree.js';
import { Checklist } from './readiness.js';
import { ConditionFields, StepForm } from './step-form.js';
import { conditionText, stepAt, withInserted, withoutStep, withStep } from './steps.js';
import { automationTexts } from './texts.js';

type Reply = ResultOf<'email.automation.get'>;

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
  const problems = reply?.readiness.problems ?? [];
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
            problems={problems}
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
              onChange={(next) => edit({ ...definition, steps: withStep(definition.steps, selected, next) })}
              onRemove={() => {
                edit({ ...definition, steps: withoutStep(definition.steps, selected) });
                select('trigger');
              }}
            />
          ) : (
            <Start definition={definition} onChange={edit} />
          )}
          {automation?.status === 'active' && isDirty ? <p class="soft t-small">{automationTexts.edit}</p> : null}
          {reply ? <Checklist readiness={reply.readiness} /> : null}
        </div>
      </div>
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
              show: (row) => <ContactName contactId={textAt(row, 'contactId')} />,
            },
            { title: 'Status', field: 'status' },
            { title: 'At', field: 'position', show: (row) => <code>{textAt(row, 'position')}</code> },
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

/** Whose run it is; the list has only the id. */
function ContactName({ contactId }: { contactId: string }) {
  const { data } = useRead('audience.contact.get', { contactId }, { enabled: has('audience.contact.get') });
  const contact = data?.contact;
  const name = [contact?.firstName, contact?.lastName].filter((part) => (part ?? '') !== '').join(' ');
  return <>{name || contact?.email || contact?.phone || <code>…{contactId.slice(-8)}</code>}</>;
}

function Start({ definition, onChange }: { definition: Definition; onChange: (definition: Definition) => void }) {
  return (
    <Card title="Start">
      <TextInput label="Name" value={definition.name} onInput={(name) => onChange({ ...definition, name })} required />
      <TextInput
        label="Event"
        value={definition.triggerEvent}
        onInput={(triggerEvent) => onChange({ ...definition, triggerEvent })}
        mono
        required
        hint={automationTexts.when}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={definition.reenter}
          onChange={({ currentTarget }) => onChange({ ...definition, reenter: currentTarget.checked })}
        />
        <span>Enrol a contact again after an earlier run</span>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={definition.triggerFilter !== null}
          onChange={({ currentTarget }) =>
            onChange({
              ...definition,
              triggerFilter: currentTarget.checked ? { field: 'context.', op: 'eq', value: '' } : null,
            })
          }
        />
        <span>Only if a condition holds</span>
      </label>
      {definition.triggerFilter ? (
        <ConditionFields
          condition={definition.triggerFilter}
          onChange={(triggerFilter) => onChange({ ...definition, triggerFilter })}
        />
      ) : null}
    </Card>
  );
}
