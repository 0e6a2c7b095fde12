import { autocompletion, closeBrackets, completionKeymap, type Completion } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { html } from '@codemirror/lang-html';
import { json } from '@codemirror/lang-json';
import { liquid } from '@codemirror/lang-liquid';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/* CodeMirror, with what the console needs of it. code-editor.tsx loads it on demand, as a separate chunk. */

export type CodeKind = 'html' | 'text' | 'json';

/** A name that can be completed in a template, such as contact.firstName. */
export interface CodeName {
  readonly name: string;
  /** Its value in the preview. */
  readonly detail?: string | undefined;
}

/** What is wrong at a place. Both count from 1. */
export interface CodeProblem {
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

export interface CodeOptions {
  readonly kind: CodeKind;
  readonly label: string;
  readonly value: string;
  readonly readOnly: boolean;
  readonly names: readonly CodeName[];
  readonly onChange: (value: string) => void;
}

export interface Editor {
  setNames: (names: readonly CodeName[]) => void;
  show: (problem: CodeProblem | undefined) => void;
  /** Puts a text in the place of what is selected. */
  insert: (text: string) => void;
  destroy: () => void;
}

const look = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'transparent', fontSize: '12.5px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.7' },
  '.cm-content': { caretColor: 'var(--text)', padding: '12px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { color: 'var(--faint)', backgroundColor: 'transparent', border: '0' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 28%, transparent)',
  },
  '.cm-tooltip': {
    color: 'var(--text)',
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--border)',
    borderRadius: '8px',
    boxShadow: 'var(--shadow-over)',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { color: 'var(--text)', backgroundColor: 'var(--selected)' },
  '.cm-completionDetail': { color: 'var(--faint)', fontStyle: 'normal' },
});

const colours = syntaxHighlighting(
  HighlightStyle.define([
    { tag: [tags.tagName, tags.angleBracket, tags.propertyName], color: 'var(--accent)' },
    { tag: [tags.attributeName, tags.number, tags.bool, tags.null], color: 'var(--warn)' },
    { tag: [tags.attributeValue, tags.string], color: 'var(--good)' },
    {
      tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.variableName, tags.special(tags.string)],
      color: 'var(--code)',
    },
    { tag: [tags.comment], color: 'var(--faint)' },
  ]),
);

/** Names as completions, level by level: `contact`, then `firstName` below it. */
function language(kind: CodeKind, names: readonly CodeName[]): Extension {
  if (kind === 'json') return json();
  const below = (path: readonly string[]): Completion[] => {
    const start = path.length === 0 ? '' : `${path.join('.')}.`;
    const found = new Map<string, Completion>();
    for (const { name, detail } of names) {
      if (!name.startsWith(start)) continue;
      const [label = '', ...rest] = name.slice(start.length).split('.');
      if (label !== '')
        found.set(label, { label, type: 'variable', ...(detail === undefined || rest.length > 0 ? {} : { detail }) });
    }
    return [...found.values()];
  };
  const config = { variables: below([]), properties: below };
  return kind === 'html' ? liquid({ ...config, base: html() }) : liquid(config);
}

/**
 * An editor in a shadow tree: there CodeMirror's styles are adopted, which the console's policy allows, in place of a
 * style element, which it does not.
 */
export function openEditor(host: HTMLElement, { kind, label, value, readOnly, names, onChange }: CodeOptions): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const languages = new Compartment();
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: value,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        bracketMatching(),
        closeBrackets(),
        autocompletion(),
        lintGutter(),
        keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
        languages.of(language(kind, names)),
        EditorView.lineWrapping,
        EditorState.readOnly.of(readOnly),
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString());
        }),
        look,
        colours,
      ],
    }),
  });
  return {
    setNames: (next) => view.dispatch({ effects: languages.reconfigure(language(kind, next)) }),
    show(problem) {
      const { doc } = view.state;
      const line = problem && problem.line >= 1 && problem.line <= doc.lines ? doc.line(problem.line) : undefined;
      const from = line ? Math.min(line.to, line.from + Math.max(0, (problem?.column ?? 1) - 1)) : 0;
      const to = line ? Math.max(from, line.to) : 0;
      view.dispatch(
        setDiagnostics(view.state, line && problem ? [{ from, to, severity: 'error', message: problem.text }] : []),
      );
    },
    insert(text) {
      view.dispatch(view.state.replaceSelection(text), { scrollIntoView: true });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}
