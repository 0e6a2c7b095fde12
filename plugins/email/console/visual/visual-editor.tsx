import { toggleMark } from 'prosemirror-commands';
import { redo, redoDepth, undo, undoDepth } from 'prosemirror-history';
import type { MarkType } from 'prosemirror-model';
import type { Command, EditorState } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { blocks, blocksOf } from './blocks.js';
import {
  currentBlock,
  deleteBlock,
  duplicateBlock,
  insertBlock,
  insertBlocks,
  linkAt,
  moveBlock,
  setLevel,
  toggleList,
} from './commands.js';
import { dialogs } from './dialogs.js';
import { openVisual, type Asked } from './open.js';
import { SavedBlocks } from './saved-blocks.js';
import { levelOf, schema } from './schema.js';
import { Settings } from './settings.js';

export interface VisualProps {
  label: string;
  locale: string;
  /** The HTML at first. The editor keeps its own state: to replace it, give it another `key`. */
  value: string;
  readOnly?: boolean;
  onChange: (html: string) => void;
  /** Gets a function that inserts HTML as blocks at the caret. */
  onInserter: (insert: (html: string) => void) => void;
  /** Of variables that have a value. */
  names: readonly string[];
}

const { marks, nodes } = schema;

function hasMark({ selection, storedMarks, doc }: EditorState, type: MarkType): boolean {
  const { from, to, empty, $from } = selection;
  return empty ? Boolean(type.isInSet(storedMarks ?? $from.marks())) : doc.rangeHasMark(from, to, type);
}

const levels = ['Text', 'Heading 1', 'Heading 2', 'Heading 3'] as const;

/** The HTML of an email as its blocks. */
export function Visual({ label, locale, value, readOnly = false, onChange, onInserter, names }: VisualProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const [state, setState] = useState<EditorState>();
  const [asked, ask] = useState<Asked>();
  const latest = useRef({ value, onChange });
  latest.current = { value, onChange };
  useEffect(() => {
    if (!host.current) return;
    const opened = openVisual(host.current, {
      html: latest.current.value,
      label,
      readOnly,
      onChange: (html) => latest.current.onChange(html),
      onState: setState,
      onAsk: asks,
    });
    view.current = opened;
    onInserter((html) => run(insertBlocks(blocksOf(html))));
    return () => opened.destroy();
  }, [label, readOnly]);

  /** From a button: the focus goes back to the text. From a field, it stays there. */
  const run = (command: Command, focus = true): void => {
    const shown = view.current;
    if (!shown) return;
    command(shown.state, shown.dispatch.bind(shown));
    if (focus) shown.focus();
  };
  const next = useRef<Command>(undefined);
  const [wasAsked, setWasAsked] = useState(false);
  const asks = (what: Asked): void => {
    setWasAsked(true);
    ask(what);
  };
  // When the dialog is gone, so that it does not take the focus back.
  useLayoutEffect(() => {
    if (asked !== undefined || !wasAsked) return;
    run(next.current ?? (() => false));
    next.current = undefined;
  }, [asked]);
  const Asking = asked === undefined ? undefined : dialogs[asked];
  return (
    <div class="visual">
      {state && !readOnly ? (
        <>
          <Tools state={state} run={run} ask={asks} />
          <div class="v-insert" role="group" aria-label="Insert">
            {blocks.map(({ name }) => (
              <button key={name} type="button" class="b bare small" onClick={() => run(insertBlock(name))}>
                {name}
              </button>
            ))}
            <SavedBlocks locale={locale} state={state} run={run} />
          </div>
        </>
      ) : null}
      <div ref={host} class="v-page" />
      {state && !readOnly ? <Settings state={state} names={names} run={(command) => run(command, false)} /> : null}
      {state && Asking ? (
        <Asking
          state={state}
          names={names}
          onClose={() => ask(undefined)}
          onRun={(command) => {
            next.current = command;
            ask(undefined);
          }}
        />
      ) : null}
    </div>
  );
}

interface ToolsProps {
  state: EditorState;
  run: (command: Command) => void;
  ask: (what: Asked) => void;
}

function Tools({ state, run, ask }: ToolsProps) {
  const { parent } = state.selection.$from;
  const level = parent.type === nodes.heading ? levelOf(parent) : 0;
  const place = currentBlock(state);
  const tool = (text: string, command: Command, options: { on?: boolean; label?: string; off?: boolean } = {}) => (
    <button
      type="button"
      class="b bare small"
      aria-label={options.label}
      aria-pressed={options.on}
      disabled={options.off ?? false}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => run(command)}
    >
      {text}
    </button>
  );
  const asks = (text: string, what: Asked, on?: boolean) => (
    <button type="button" class="b bare small" aria-pressed={on} onClick={() => ask(what)}>
      {text}
    </button>
  );
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLElement }): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined || !(event.target instanceof HTMLButtonElement)) return;
    const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('button:not(:disabled)')];
    const next = buttons[(buttons.indexOf(event.target) + by + buttons.length) % buttons.length];
    next?.focus();
    event.preventDefault();
  };
  return (
    <div class="v-tools" role="toolbar" aria-label="Text and blocks" onKeyDown={onKeyDown}>
      <select
        class="input"
        aria-label="Kind of text"
        value={String(Math.min(level, 3))}
        onChange={({ currentTarget }) => run(setLevel(Number(currentTarget.value)))}
      >
        {levels.map((text, index) => (
          <option value={String(index)}>{text}</option>
        ))}
      </select>
      {tool('B', toggleMark(marks.strong), { on: hasMark(state, marks.strong), label: 'Bold' })}
      {tool('I', toggleMark(marks.em), { on: hasMark(state, marks.em), label: 'Italic' })}
      {tool('U', toggleMark(marks.underline), { on: hasMark(state, marks.underline), label: 'Underlined' })}
      {asks('Link', 'link', linkAt(state) !== undefined)}
      {tool('• List', toggleList(false), { label: 'List of points' })}
      {tool('1. List', toggleList(true), { label: 'Numbered list' })}
      {asks('Insert name, date …', 'variable')}
      {asks('Show only to …', 'condition')}
      {tool('↑', moveBlock(-1), { label: 'Move block up', off: !moveBlock(-1)(state) })}
      {tool('↓', moveBlock(1), { label: 'Move block down', off: !moveBlock(1)(state) })}
      {tool('Duplicate', duplicateBlock, { label: 'Duplicate block', off: !place })}
      {tool('Delete', deleteBlock, { label: 'Delete block', off: !place })}
      {tool('Undo', undo, { off: undoDepth(state) === 0 })}
      {tool('Redo', redo, { off: redoDepth(state) === 0 })}
      {asks('Keys', 'keys')}
    </div>
  );
}
