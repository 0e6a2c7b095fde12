import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import {
  Button,
  call,
  Card,
  Confirm,
  fieldProblem,
  Fields,
  operationNamed,
  Refusal,
  refusalFor,
  rowAt,
  useAction,
  useDraft,
  type Row,
} from '#core/surfaces/console/kit/index.js';

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What has changed, as auth.settings.set takes it: objects merge key by key there, so an emptied list is sent as such,
 * and a removed claim as null. An emptied number keeps its value.
 */
function patchOf(before: Row, after: Row, isMap = false): Row {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names.flatMap((name): [string, unknown][] => {
      const [old, now] = [before[name], after[name]];
      if (JSON.stringify(old) === JSON.stringify(now)) return [];
      if (Array.isArray(old) && now === undefined) return [[name, []]];
      if (isMap) return [[name, now ?? null]];
      if (isRow(old)) {
        const inside = patchOf(old, isRow(now) ? now : {}, name === 'claims');
        return Object.keys(inside).length === 0 ? [] : [[name, inside]];
      }
      if (typeof old === 'string' && now === undefined) return old === '' ? [] : [[name, '']];
      return now === undefined ? [] : [[name, now]];
    }),
  );
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/**
 * A patch for what is stored now. Lists are replaced as a whole, so what others have added or removed since the screen
 * was read is kept.
 */
function patchFor(stored: Row, patch: Row, base: Row): Row {
  return Object.fromEntries(
    Object.entries(patch).map(([name, value]): [string, unknown] => {
      const [old, now] = [base[name], stored[name]];
      if (isList(value) && isList(old) && isList(now)) {
        const removed = old.filter((each) => !value.includes(each));
        const added = value.filter((each) => !old.includes(each) && !now.includes(each));
        return [name, [...now.filter((each) => !removed.includes(each)), ...added]];
      }
      return [name, isRow(value) && isRow(old) && isRow(now) ? patchFor(now, value, old) : value];
    }),
  );
}

interface SectionProps {
  title: string;
  /** The settings of the section, by their names at the top. */
  names: readonly string[];
  settings: Row;
  text?: ComponentChildren;
  /** The consequence of a change that can lock people out. It is confirmed once before the change is saved. */
  consequence?: (changed: Row) => string | undefined;
  /** In place of the fields of the schema. */
  children?: (value: Row, change: (value: Row) => void) => ComponentChildren;
}

/** Settings that are saved together. */
export function Section({ title, names, settings, text, consequence, children }: SectionProps) {
  const saved = Object.fromEntries(names.map((name) => [name, settings[name]]));
  /** The edited values, and the saved ones that they were made from: others may save meanwhile. */
  const draft = useDraft<{ readonly base: Row; readonly value: Row }>(`settings ${title}`);
  const edited = draft.value;
  const [asked, ask] = useState<string>();
  const { busy, problem, clear, run } = useAction();
  const operation = operationNamed('auth.settings.set');
  if (!operation) return null;
  const value = edited?.value ?? saved;
  const edit = (next: Row): void => draft.update((now) => ({ base: now?.base ?? saved, value: next }));
  const base = edited?.base ?? saved;
  const changed = patchOf(base, value);
  const isChanged = Object.keys(changed).length > 0;
  const atField = fieldProblem(problem, operation.input);

  const save = async (): Promise<void> => {
    const latest = async (): Promise<Row> => {
      const { result } = await call('auth.settings.get', {});
      const since = result.updatedAt === null ? {} : { ifUnchangedSince: result.updatedAt };
      return { ...patchFor({ ...result.settings }, changed, base), ...since };
    };
    if (!(await run('auth.settings.set', latest, `${title}: saved.`, draft.forget))) return;
    draft.update((now) => (now?.value === value ? undefined : now && { base: value, value: now.value }));
  };
  return (
    <Card title={title}>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const needed = consequence?.(changed);
          if (needed === undefined) void save();
          else ask(needed);
        }}
      >
        {text === undefined ? null : <p class="soft">{text}</p>}
        {problem === undefined || (atField && !children) ? null : <Refusal error={problem} again={() => void save()} />}
        {children ? (
          children(value, edit)
        ) : (
          <Fields
            fields={operation.input}
            only={names}
            value={value}
            onChange={(next) => edit(next ?? {})}
            problem={atField}
          />
        )}
        <div class="row">
          <Button
            kind="main"
            submit
            busy={busy}
            refused={refusalFor('auth.settings.set') ?? (isChanged ? undefined : 'Nothing has changed.')}
          >
            {busy ? 'Saving…' : `Save ${title.toLowerCase()}`}
          </Button>
          {isChanged ? (
            <Button
              kind="bare"
              onClick={() => {
                draft.edit(undefined);
                clear();
              }}
            >
              Discard changes
            </Button>
          ) : null}
        </div>
      </form>
      {asked === undefined ? null : (
        <Confirm
          title={`Save ${title.toLowerCase()}?`}
          action="Save changes"
          onConfirm={() => void save()}
          onClose={() => ask(undefined)}
        >
          <p>{asked}</p>
        </Confirm>
      )}
    </Card>
  );
}

interface CheckProps {
  label: string;
  hint?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** A setting that is on or off. */
export const Check = ({ label, hint, checked, onChange }: CheckProps) => (
  <label class="check">
    <input type="checkbox" checked={checked} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
    <span>
      <b>{label}</b>
      {hint === undefined ? null : <span class="faint">{hint}</span>}
    </span>
  </label>
);

/** A setting with one field replaced. @param path such as `mfa.required` */
export const withSetting = (value: Row, [outer, inner]: readonly [string, string], now: unknown): Row => ({
  ...value,
  [outer]: { ...rowAt(value, outer), [inner]: now },
});
