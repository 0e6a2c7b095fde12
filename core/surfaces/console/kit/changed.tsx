import { useState } from 'preact/hooks';
import { isSvcError } from '../../sdk/errors.js';
import type { Theirs } from './edits.js';
import { withValue, type Conflict } from './merge.js';
import { Button, Notice } from './page.js';
import { Refusal } from './refusal.js';
import { rowAt, textAt } from './value.js';
import { acting, type Row } from './state.js';
import { Time } from './time.js';
import { labelOf } from './words.js';

interface SaveProblemProps {
  /** Why a save was refused. */
  error: unknown;
  again?: () => void;
  busy: boolean;
  edits: {
    readonly isDirty: boolean;
    readonly keptAt: Date | undefined;
    readonly discard: () => void;
    readonly theirs: Theirs | undefined;
    readonly goOn: (value: Row) => void;
  };
  onMerged: () => void;
}

/**
 * What prevents a save: its refusal; edits of an earlier visit; and what somebody else has saved meanwhile,
 * beside what was typed here. Fields that only one of both has changed are merged, and the person chooses the others.
 */
export function SaveProblem({ error, again, busy, edits, onMerged }: SaveProblemProps) {
  const meanwhile = isSvcError(error) && error.code === 'changed_meanwhile' ? error.details : undefined;
  const { theirs } = edits;
  if (theirs && edits.isDirty && !busy)
    return (
      <Meanwhile
        key={theirs.updatedAt}
        theirs={theirs}
        by={whose(meanwhile ?? {})}
        onMerge={(value) => {
          edits.goOn(value);
          onMerged();
        }}
        onDiscard={() => {
          edits.discard();
          onMerged();
        }}
      />
    );
  return (
    <>
      {error === undefined ? null : meanwhile && !busy ? (
        <Notice tone="warn">
          <p>
            {whose(meanwhile)} saved another version <Time at={textAt(meanwhile, 'updatedAt')} />. It is merged with
            yours, because no field was changed on both sides. Check it, and save again.
          </p>
        </Notice>
      ) : (
        <Refusal error={error} {...(again ? { again } : {})} />
      )}
      {edits.isDirty && edits.keptAt ? (
        <Notice
          action={
            <Button kind="small" onClick={edits.discard}>
              Discard changes
            </Button>
          }
        >
          <p>
            Your changes from <Time at={edits.keptAt.toISOString()} /> are not saved yet.
          </p>
        </Notice>
      ) : null}
    </>
  );
}

interface MeanwhileProps {
  theirs: Theirs;
  by: string;
  onMerge: (value: Row) => void;
  onDiscard: () => void;
}

/** Who saved it: the person, in another tab or by a save whose answer was lost, or somebody else. */
export function whose(details: Row): string {
  const by = rowAt(details, 'changedBy');
  const { member } = acting.value ?? {};
  if (member && [member.id, member.email].includes(textAt(by, 'id'))) return 'You';
  return textAt(by, 'label') || 'Somebody else';
}

/** `properties`, `plan`: Plan (properties). */
function titleOf(path: readonly string[]): string {
  const [last = '', ...before] = [...path].reverse();
  return before.length === 0 ? labelOf(last) : `${labelOf(last)} (${before.reverse().join(', ')})`;
}

const shown = (value: unknown): string =>
  value === undefined || value === null || value === ''
    ? 'nothing'
    : typeof value === 'string'
      ? value
      : JSON.stringify(value, null, 2);

function Meanwhile({ theirs: { merged, updatedAt }, by, onMerge, onDiscard }: MeanwhileProps) {
  const [chosen, choose] = useState<Readonly<Record<number, 'mine' | 'theirs'>>>({});
  const { conflicts, taken } = merged;
  const merge = (): void =>
    onMerge(
      conflicts.reduce<Row>(
        (value, { path, theirs }, at) => (chosen[at] === 'theirs' ? withValue(value, path, theirs) : value),
        merged.value,
      ),
    );
  const isOpen = conflicts.some((_, at) => chosen[at] === undefined);
  return (
    <section class="card meanwhile" aria-label="Changed meanwhile">
      <div class="in stack">
        <p>
          {by} saved another version <Time at={updatedAt} />. What you typed is kept.
        </p>
        {taken.length === 0 ? null : (
          <p class="soft">Only they changed: {taken.map(titleOf).join('; ')}. Merging keeps that.</p>
        )}
        {conflicts.map((conflict, at) => (
          <Choice
            key={at}
            conflict={conflict}
            chosen={chosen[at]}
            onChoose={(side) => choose({ ...chosen, [at]: side })}
          />
        ))}
        <div class="row">
          <Button kind="main" refused={isOpen ? 'Choose a version of each field first.' : undefined} onClick={merge}>
            Merge both versions
          </Button>
          <Button kind="bare" onClick={onDiscard}>
            Discard my changes
          </Button>
        </div>
      </div>
    </section>
  );
}

function Choice({
  conflict: { path, mine, theirs },
  chosen,
  onChoose,
}: {
  conflict: Conflict;
  chosen: 'mine' | 'theirs' | undefined;
  onChoose: (side: 'mine' | 'theirs') => void;
}) {
  return (
    <fieldset class="field group">
      <legend>{titleOf(path)}</legend>
      {(['mine', 'theirs'] as const).map((side) => (
        <label class="check">
          <input
            type="radio"
            name={`meanwhile ${path.join(' ')}`}
            checked={chosen === side}
            onChange={() => onChoose(side)}
          />
          <span>
            <b>{side === 'mine' ? 'Keep mine' : 'Take theirs'}</b>
            <span class="faint pre">{shown(side === 'mine' ? mine : theirs)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
