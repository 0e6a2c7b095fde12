import { useState } from 'preact/hooks';

interface JsonControlProps {
  value: unknown;
  onChange: (value: unknown) => void;
  attributes: {
    readonly id: string;
    readonly 'aria-describedby': string | undefined;
    readonly 'aria-invalid': true | undefined;
    readonly required: true | undefined;
  };
}

/** Edits any JSON value: the control of fields that no other control fits. */
export function JsonControl({ value, onChange, attributes }: JsonControlProps) {
  const [text, edit] = useState(value === undefined ? '' : JSON.stringify(value, null, 2));
  const [broken, setBroken] = useState(false);
  return (
    <>
      <textarea
        class="input mono"
        rows={Math.max(3, Math.min(12, text.split('\n').length + 1))}
        spellcheck={false}
        {...attributes}
        aria-invalid={broken || attributes['aria-invalid']}
        placeholder='JSON, such as { "key": "value" }'
        value={text}
        onInput={({ currentTarget }) => {
          edit(currentTarget.value);
          const parsed = parse(currentTarget.value);
          setBroken(parsed === notJson);
          if (parsed !== notJson) onChange(parsed);
        }}
      />
      {broken ? <span class="error">This is not JSON yet. What is sent is its last complete version.</span> : null}
    </>
  );
}

const notJson = Symbol('not JSON');

function parse(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return notJson;
  }
}
