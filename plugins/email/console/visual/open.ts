import { baseKeymap, chainCommands, selectParentNode, toggleMark } from 'prosemirror-commands';
import { dropCursor } from 'prosemirror-dropcursor';
import { gapCursor } from 'prosemirror-gapcursor';
import { history, redo, undo } from 'prosemirror-history';
import { InputRule, inputRules, undoInputRule } from 'prosemirror-inputrules';
import { keymap } from 'prosemirror-keymap';
import type { Slice } from 'prosemirror-model';
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list';
import { EditorState, Selection, TextSelection, type Command } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import { deleteBlock, duplicateBlock, moveBlock, setLevel, toggleList, toggleQuote } from './commands.js';
import { nodeViews } from './node-views.js';
import { copied, pastedSlice } from './paste.js';
import { read } from './read.js';
import { schema } from './schema.js';
import { htmlOf, inlineHtml, write } from './write.js';

/** Dialogs that keys open. */
export type Asked = 'insert' | 'link' | 'variable' | 'condition' | 'keys';

export interface VisualOptions {
  readonly html: string;
  readonly label: string;
  readonly readOnly: boolean;
  /** The HTML after an edit. */
  readonly onChange: (html: string) => void;
  readonly onState: (state: EditorState) => void;
  readonly onAsk: (what: Asked) => void;
}

const { nodes, marks } = schema;

/** Behind a button, Enter begins a text. */
const leaveButton: Command = (state, dispatch) => {
  const { $from } = state.selection;
  if ($from.parent.type !== nodes.button) return false;
  const tr = state.tr.insert($from.after(), nodes.paragraph.create());
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, $from.after() + 1)).scrollIntoView());
  return true;
};

const insertBreak: Command = (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(nodes.break.create()).scrollIntoView());
  return true;
};

/**
 * The caret at the start or the end of the text. Not left to the browser: ProseMirror undoes a caret that moves to the
 * start within 200 ms after the focus, and learns of the browser's caret only later, so that a paste could come first.
 */
const toEdge =
  (edge: 'atStart' | 'atEnd'): Command =>
  ({ doc, tr }, dispatch) => {
    dispatch?.(tr.setSelection(Selection[edge](doc)).scrollIntoView());
    return true;
  };

const insideEmptyText = ({ selection: { $from, empty } }: EditorState): boolean =>
  empty && $from.parent.type === nodes.paragraph && $from.parent.childCount === 0;

function keys(ask: (what: Asked) => void): Record<string, Command> {
  const asks =
    (what: Asked): Command =>
    () => {
      ask(what);
      return true;
    };
  const slash: Command = (state) => {
    if (!insideEmptyText(state)) return false;
    ask('insert');
    return true;
  };
  return {
    'Mod-z': chainCommands(undoInputRule, undo),
    'Mod-y': redo,
    'Shift-Mod-z': redo,
    'Mod-b': toggleMark(marks.strong),
    'Mod-i': toggleMark(marks.em),
    'Mod-u': toggleMark(marks.underline),
    'Mod-Shift-x': toggleMark(marks.strike),
    'Mod-k': asks('link'),
    'Mod-Shift-v': asks('variable'),
    'Mod-/': asks('keys'),
    '/': slash,
    'Mod-Alt-0': setLevel(0),
    'Mod-Alt-1': setLevel(1),
    'Mod-Alt-2': setLevel(2),
    'Mod-Alt-3': setLevel(3),
    'Mod-Shift-7': toggleList(true),
    'Mod-Shift-8': toggleList(false),
    'Mod-Shift-9': toggleQuote,
    'Alt-ArrowUp': moveBlock(-1),
    'Alt-ArrowDown': moveBlock(1),
    'Mod-d': duplicateBlock,
    'Mod-Shift-Backspace': deleteBlock,
    'Mod-[': liftListItem(nodes.item),
    'Mod-]': sinkListItem(nodes.item),
    'Ctrl-Home': toEdge('atStart'),
    'Meta-ArrowUp': toEdge('atStart'),
    'Ctrl-End': toEdge('atEnd'),
    'Meta-ArrowDown': toEdge('atEnd'),
    'Shift-Enter': insertBreak,
    Enter: chainCommands(leaveButton, splitListItem(nodes.item)),
    Escape: selectParentNode,
  };
}

/** What is typed as Markdown or Liquid, as blocks and chips. */
const rules = inputRules({
  rules: [
    new InputRule(/\{\{[^{}]+\}\}$/, (state, [source], from, to) =>
      state.tr.replaceWith(from, to, nodes.chip.create({ source })),
    ),
    new InputRule(/^(#{1,3})\s$/, (state, [, signs = ''], from, to) => {
      const level = signs.length;
      const { lead }: { lead?: unknown } = state.doc.resolve(from).parent.attrs;
      const attrs = { level, open: `<h${level}>`, lead };
      return state.tr.delete(from, to).setBlockType(from, from, nodes.heading, attrs);
    }),
    new InputRule(/^(?:[-*]|1[.)])\s$/, (state, [found], from, to) => {
      const tr = state.tr.delete(from, to);
      let listed: EditorState['tr'] | undefined;
      const ready = state.apply(tr);
      toggleList(found.startsWith('1'))(ready, (made) => {
        listed = made;
      });
      if (!listed || ready.selection.$from.depth > 1) return null;
      for (const step of listed.steps) tr.step(step);
      return tr;
    }),
  ],
});

/** A part of the document as HTML, for the clipboard. */
function copiedHtml({ content, openStart }: Slice): string {
  const [first] = content.content;
  if (content.childCount === 1 && openStart > 0 && first?.inlineContent) return inlineHtml(first.content);
  const blocks = content.content.every(({ type }) => type.isInGroup('block')) ? content : undefined;
  if (!blocks) return content.firstChild?.isInline ? inlineHtml(content) : '';
  return htmlOf(blocks);
}

function copy(view: EditorView, event: ClipboardEvent): boolean {
  const { selection } = view.state;
  if (selection.empty || !event.clipboardData) return false;
  const html = copiedHtml(selection.content());
  // Parts of cells and of lists are copied as ProseMirror does it.
  if (html === '') return false;
  event.preventDefault();
  event.clipboardData.clearData();
  event.clipboardData.setData('text/html', copied(html));
  event.clipboardData.setData('text/plain', view.state.doc.textBetween(selection.from, selection.to, '\n\n'));
  if (event.type === 'cut') view.dispatch(view.state.tr.deleteSelection().scrollIntoView().setMeta('uiEvent', 'cut'));
  return true;
}

function insertData(view: EditorView, event: Event, data: DataTransfer | null): boolean {
  event.preventDefault();
  if (!view.editable) return true;
  const isPlain = view.state.selection.$from.parent.type === nodes.button;
  const slice = pastedSlice(isPlain ? '' : (data?.getData('text/html') ?? ''), data?.getData('text/plain') ?? '');
  const inline = isPlain ? slice.content.firstChild?.content : undefined;
  const { tr } = view.state;
  if (inline) tr.replaceWith(tr.selection.from, tr.selection.to, inline);
  else tr.replaceSelection(slice);
  view.dispatch(tr.scrollIntoView().setMeta('uiEvent', event.type));
  return true;
}

/** The editor in `host`. @throws nothing: any text can be shown */
export function openVisual(host: HTMLElement, options: VisualOptions): EditorView {
  const from = read(options.html);
  const view: EditorView = new EditorView(host, {
    state: EditorState.create({
      doc: from.doc,
      plugins: [rules, keymap(keys(options.onAsk)), keymap(baseKeymap), history(), dropCursor(), gapCursor()],
    }),
    nodeViews,
    editable: () => !options.readOnly,
    attributes: { 'aria-label': options.label, role: 'textbox', 'aria-multiline': 'true' },
    dispatchTransaction(tr) {
      const state = view.state.apply(tr);
      view.updateState(state);
      options.onState(state);
      if (tr.docChanged) options.onChange(write(state.doc, from));
    },
    handleDOMEvents: {
      // Other keys of the page must not hear what the editor does with them.
      keydown: (_, event) => {
        if ((event.ctrlKey || event.metaKey) && /^[kbdi/]$/i.test(event.key)) event.stopPropagation();
        return false;
      },
      copy,
      cut: copy,
      // The policy of the page lets no HTML be parsed by the browser, so ProseMirror's own way is not used.
      paste: (shown, event) => insertData(shown, event, event.clipboardData),
      drop(shown, event) {
        if (shown.dragging) return false;
        const at = shown.posAtCoords({ left: event.clientX, top: event.clientY });
        if (at) shown.dispatch(shown.state.tr.setSelection(TextSelection.near(shown.state.doc.resolve(at.pos))));
        return insertData(shown, event, event.dataTransfer);
      },
    },
  });
  options.onState(view.state);
  return view;
}
