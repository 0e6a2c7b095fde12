import { useEffect, useRef, useState } from 'preact/hooks';
import { Refusal } from './refusal.js';
import type { CodeKind, CodeName, CodeProblem, Editor } from './code-mirror.js';

interface CodeEditorProps {
  label: string;
  kind: CodeKind;
  /** The text at first. The editor keeps its own state: to replace the text, give it another `key`. */
  value: string;
  onChange: (value: string) => void;
  names?: readonly CodeName[];
  problem?: CodeProblem | undefined;
  readOnly?: boolean;
}

/**
 * An editor for templates and JSON. CodeMirror is loaded when the first one opens. Until then, or if that fails, the
 * text is shown.
 */
export function CodeEditor({ label, kind, value, onChange, names = [], problem, readOnly = false }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor>();
  const [failure, setFailure] = useState<unknown>();
  const change = useRef(onChange);
  change.current = onChange;
  const latest = useRef(value);
  latest.current = value;
  useEffect(() => {
    const state: { editor?: Editor; closed?: true } = {};
    void import('./code-mirror.js').then(({ openEditor }) => {
      if (state.closed || !host.current) return;
      state.editor = openEditor(host.current, {
        kind,
        label,
        value: latest.current,
        readOnly,
        names,
        onChange: (text) => change.current(text),
      });
      setEditor(state.editor);
    }, setFailure);
    return () => {
      state.closed = true;
      state.editor?.destroy();
      setEditor(undefined);
    };
  }, [kind, label, readOnly]);
  useEffect(() => editor?.setNames(names), [editor, JSON.stringify(names)]);
  useEffect(() => editor?.show(problem), [editor, problem?.line, problem?.column, problem?.text]);
  return (
    <>
      {failure === undefined ? null : <Refusal error={failure} again={() => location.reload()} />}
      <div ref={host} class="code-editor" />
      {editor ? null : <pre class="text">{value}</pre>}
    </>
  );
}

/**
 * Part of the `key` of an editor, which changes if its text changes without being typed into it.
 * @param value the text
 * @returns `type` must be called with what was typed
 */
export function useGeneration(value: string): { readonly generation: number; readonly type: (typed: string) => void } {
  const state = useRef({ value, generation: 0 });
  if (state.current.value !== value) state.current = { value, generation: state.current.generation + 1 };
  return {
    generation: state.current.generation,
    type(typed) {
      state.current.value = typed;
    },
  };
}
