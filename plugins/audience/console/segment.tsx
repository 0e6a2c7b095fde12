import { useMemo } from 'preact/hooks';
import {
  addressOf,
  Button,
  Card,
  Empty,
  Head,
  Loading,
  Notice,
  Refusal,
  refusalFor,
  SaveProblem,
  TextInput,
  useAction,
  useAddress,
  useDraft,
  useEdits,
  useLater,
  useRead,
  type ResultOf,
  type Row,
  type ScreenProps,
  OperationButton,
} from '#core/surfaces/console/kit/index.js';
import { newGroup, hasUnfinished, toBuilder, toDefinition, type Group } from './definition.js';
import { GroupBuilder } from './segment-rules.js';
import { segmentTexts } from './texts.js';

/** A segment: its conditions, with the people that match them while they are edited. */
export default function SegmentScreen({ params: { segmentId = '' } }: ScreenProps) {
  const isNew = segmentId === 'new';
  const { data, error, again } = useRead('audience.segment.get', { segmentId }, { enabled: !isNew });
  if (error)
    return (
      <>
        <Head title="Segment" />
        <Refusal error={error} again={again} />
      </>
    );
  if (!isNew && !data) return <Loading />;
  return <Builder key={segmentId} segment={data?.segment} />;
}

const parsed = (text: string): Row | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value))
      : undefined;
  } catch {
    return undefined;
  }
};

type Segment = ResultOf<'audience.segment.get'>['segment'];

/** The rules as they are typed, which may be incomplete. */
interface Typed {
  readonly tree: Group | null;
  readonly json: string | null;
  /** The saved definition that they began from. */
  readonly from: string;
}

/** In the form that the builder writes, so that a definition that nobody has changed is the same. */
const valuesOf = ({ name, definition }: Segment): { name: string; definition: Row } => {
  const rules = toBuilder(definition);
  return { name, definition: (rules && toDefinition(rules)) ?? { ...definition } };
};

function Builder({ segment }: { segment: Segment | undefined }) {
  const { go } = useAddress();
  const saved = segment ? valuesOf(segment) : { name: '', definition: {} };
  const from = JSON.stringify(saved.definition);
  const record = `segment ${segment?.id ?? 'new'}`;
  const edits = useEdits(record, saved, segment?.updatedAt ?? null);
  const draft = useDraft<Typed>(`${record} rules`);
  const { name } = edits.value;
  const text = JSON.stringify(edits.value.definition);
  const built = useMemo(() => (text === '{}' ? newGroup() : toBuilder(edits.value.definition)), [text]);
  const typed =
    draft.value && (edits.isDirty || draft.value.from === from)
      ? draft.value
      : { tree: built ?? null, json: built ? null : JSON.stringify(edits.value.definition, null, 2), from };
  const { tree, json } = typed;
  const action = useAction();
  const definition = json === null ? (tree ? toDefinition(tree) : undefined) : parsed(json);
  const setName = (next: string): void => edits.edit({ ...edits.value, name: next });
  const setRules = (next: Partial<Typed>): void => {
    const rules = { ...typed, ...next };
    draft.edit(rules);
    const known = rules.json === null ? rules.tree && toDefinition(rules.tree) : parsed(rules.json);
    edits.edit({ name, definition: known ?? {} });
  };
  const asJson = (): void => draft.edit({ ...typed, json: JSON.stringify(definition ?? { all: [] }, null, 2) });
  const asRules = (): void => {
    const shown = toBuilder(definition);
    if (shown) draft.edit({ ...typed, tree: shown, json: null });
  };
  const lacking =
    name.trim() === ''
      ? 'Give the segment a name first.'
      : definition === undefined || (json === null && tree && hasUnfinished(tree))
        ? 'Complete every condition first.'
        : undefined;
  const save = async (): Promise<void> => {
    if (definition === undefined) return;
    const sent = edits.value;
    edits.begin();
    const given = draft.value;
    const isDone = (updatedAt: string): void => {
      edits.saved(sent, updatedAt);
      draft.update((now) => (now === given ? undefined : now));
    };
    if (segment) {
      const changes = {
        ...('name' in edits.changes ? { name: name.trim() } : {}),
        ...('definition' in edits.changes ? { definition } : {}),
      };
      const input = { segmentId: segment.id, ...changes, ...edits.guard };
      const result = await action.run('audience.segment.update', input, 'Segment saved.');
      if (result) isDone(result.segment.updatedAt);
      return;
    }
    const result = await action.run('audience.segment.create', { name: name.trim(), definition }, 'Segment created.');
    if (!result) return;
    isDone(result.segment.updatedAt);
    go(addressOf(['audience', 'segment', result.segment.id]), true);
  };
  const saving = segment ? 'audience.segment.update' : 'audience.segment.create';
  return (
    <>
      <Head
        title={segment?.name ?? 'New segment'}
        sub={segmentTexts.sub}
        actions={
          <>
            {segment ? (
              <>
                <OperationButton
                  operation="audience.segment.delete"
                  input={{ segmentId: segment.id }}
                  kind="danger"
                  done="Segment deleted"

                  onDone={() => go(addressOf(['audience', 'segment']))}
                  action="Delete segment"
                >
                  <p>{segmentTexts.deleted}</p>
                </OperationButton>
                <Button
                  href={addressOf(['email', 'broadcast', 'new'], { segmentId: segment.id })}
                  refused={refusalFor('email.broadcast.create')}
                >
                  Use in a broadcast
                </Button>
              </>
            ) : null}
            <Button kind="main" busy={action.busy} refused={refusalFor(saving) ?? lacking} onClick={save}>
              {segment ? 'Save segment' : 'Create segment'}
            </Button>
          </>
        }
      />
      <SaveProblem
        error={action.problem}
        busy={action.busy}
        edits={edits}
        onMerged={() => {
          draft.edit(undefined);
          action.clear();
        }}
      />
      <div class="two">
        <div class="stack">
          <Card>
            <TextInput label="Name" value={name} onInput={setName} required />
          </Card>
          <Card
            title="Contacts that match"
            beside={
              json === null ? (
                <button type="button" class="b bare small right" onClick={asJson}>
                  Edit as JSON
                </button>
              ) : (
                <button
                  type="button"
                  class="b bare small right"
                  disabled={toBuilder(definition) === undefined}
                  onClick={asRules}
                >
                  Edit as conditions
                </button>
              )
            }
          >
            {json === null && tree ? (
              <GroupBuilder group={tree} onChange={(next) => setRules({ tree: next })} level={1} />
            ) : (
              <>
                {definition !== undefined && toBuilder(definition) === undefined ? (
                  <Notice tone="warn">{segmentTexts.shown}</Notice>
                ) : null}
                <TextInput
                  label="Definition"
                  value={json ?? ''}
                  onInput={(next) => setRules({ json: next })}
                  lines={16}
                  mono
                  hint={segmentTexts.json}
                  error={definition === undefined ? segmentTexts.notJson : undefined}
                />
              </>
            )}
          </Card>
        </div>
        <Matching definition={definition} />
      </div>
    </>
  );
}

const number = new Intl.NumberFormat('en');

/** How many match now, and some of them. */
function Matching({ definition }: { definition: Row | undefined }) {
  const settled = useLater(definition);
  const { data, error, loading } = useRead(
    'audience.segment.preview',
    { definition: settled ?? {}, sample: 8 },
    { enabled: settled !== undefined },
  );
  const counting = loading || JSON.stringify(settled) !== JSON.stringify(definition);
  return (
    <div class="stack">
      <Card>
        <p class="soft">Matching contacts</p>
        <p class={`big ${counting ? 'faded' : ''}`} aria-live="polite">
          {data && settled !== undefined && !error ? number.format(data.size) : '–'}
        </p>
        {error ? <Refusal error={error} /> : null}
        <p class="faint">
          {counting ? 'Counting…' : definition === undefined ? 'Complete a condition to count.' : 'Counted just now.'}
        </p>
      </Card>
      <Card title="Sample" flush>
        {data && settled !== undefined && !error ? (
          data.sample.length === 0 ? (
            <Empty title={segmentTexts.none} />
          ) : (
            <ul class="people">
              {data.sample.map((contact) => (
                <li key={contact.id}>
                  <a href={addressOf(['audience', 'contact', contact.id])}>
                    {[contact.firstName, contact.lastName].filter((part) => part !== null).join(' ') ||
                      contact.email ||
                      contact.phone ||
                      contact.externalId}
                  </a>
                  <p class="faint">
                    {[
                      contact.email ?? contact.phone ?? '',
                      ...Object.entries(contact.properties)
                        .slice(0, 2)
                        .map(([key, value]) => `${key} ${String(value)}`),
                    ]
                      .filter((part) => part !== '')
                      .join(' · ')}
                  </p>
                </li>
              ))}
            </ul>
          )
        ) : settled === undefined || error ? (
          <p class="in soft">The newest people that match appear here.</p>
        ) : (
          <Loading lines={4} />
        )}
      </Card>
    </div>
  );
}
