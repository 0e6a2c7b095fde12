import { useEffect, useRef, useState } from 'preact/hooks';
import { useAttempt } from './attempt.js';
import { loadPart } from './reach.js';
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
  /** Is given what inserts a text at the cursor. */
  onInserter?: (insert: ((text: string) => void) | undefined) => void;
}

/**
 * An editor for templates and JSON. CodeMirror is loaded when the first one opens. Until then, or if that fails, the
 * text is shown.
 */
export function CodeEditor({
  label,
  kind,
  value,
  onChange,
  names = [],
  problem,
  readOnly = false,
  onInserter,
}: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor>();
  const { data, error, again } = useAttempt(() => loadPart(() => import('./code-mirror.js')), []);
  const change = useRef(onChange);
  change.current = onChange;
  const latest = useRef(value);
  latest.current = value;
  useEffect(() => {
    if (!data || !host.current) return;
    const opened = data.openEditor(host.current, {
      kind,
      label,
      value: latest.current,
      readOnly,
      names,
      onChange: (text) => change.current(text),
    });
    setEditor(opened);
    onInserter?.(opened.insert);
    return () => {
      onInserter?.(undefined);
      opened.destroy();
      setEditor(undefined);
    };
  }, [data, kind, label, readOnly]);
  useEffect(() => editor?.setNames(names), [editor, JSON.stringify(names)]);
  useEffect(() => editor?.show(problem), [editor, problem?.line, problem?.column, problem?.text]);
  return (
    <>
      {error === undefined ? null : <Refusal error={error} again={again} />}
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
