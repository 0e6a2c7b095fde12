import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Read } from './read.js';
import { Refusal } from './refusal.js';

interface LabelledProps {
  label: string;
  hint?: ComponentChildren;
  error?: ComponentChildren;
  required?: boolean;
  /** The control, with the attributes that connect it to its label and texts. */
  children: (attributes: LabelledAttributes) => ComponentChildren;
}

export interface LabelledAttributes {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
  readonly required: true | undefined;
}

/** A control of a screen with its label, a hint and an error. */
export function Labelled({ label, hint, error, required = false, children }: LabelledProps) {
  const id = useId();
  const has = (text: ComponentChildren): boolean => text !== undefined && text !== '';
  const about = [...(has(error) ? [`${id}-error`] : []), ...(has(hint) ? [`${id}-hint`] : [])];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-describedby': about.join(' ') || undefined,
        'aria-invalid': has(error) || undefined,
        required: required || undefined,
      })}
      {has(error) ? (
        <span class="error" id={`${id}-error`}>
          {error}
        </span>
      ) : null}
      {has(hint) ? (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      ) : null}
    </div>
  );
}

interface TextProps {
  label: string;
  value: string;
  onInput: (value: string) => void;
  hint?: ComponentChildren;
  error?: ComponentChildren;
  required?: boolean;
  placeholder?: string;
  /** More than one line. */
  lines?: number;
  mono?: boolean;
  /** A time in the reader's time zone. */
  type?: 'datetime-local';
}

/** A text with its label. */
export const TextInput = ({
  label,
  value,
  onInput,
  hint,
  error,
  required,
  lines,
  mono,
  type,
  placeholder,
}: TextProps) => (
  <Labelled label={label} hint={hint} error={error} required={required ?? false}>
    {(attributes) =>
      type === 'datetime-local' ? (
        <input
          class="input"
          type="datetime-local"
          {...attributes}
          value={value}
          onChange={({ currentTarget }) => onInput(currentTarget.value)}
        />
      ) : lines === undefined ? (
        <input
          class={`input ${mono ? 'mono' : ''}`}
          type="text"
          autocomplete="off"
          placeholder={placeholder}
          {...attributes}
          value={value}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      ) : (
        <textarea
          class={`input ${mono ? 'mono' : ''}`}
          rows={lines}
          spellcheck={!mono}
          placeholder={placeholder}
          {...attributes}
          value={value}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      )
    }
  </Labelled>
);

export interface Option {
  readonly value: string;
  readonly text: string;
}

interface SelectProps {
  label: string;
  value: string;
  options: readonly Option[];
  /** The read that the options are from. If it fails, the reason is shown: options that are missing look like none. */
  from?: Pick<Read<unknown>, 'error' | 'again'>;
  onChange: (value: string) => void;
  hint?: ComponentChildren;
  error?: ComponentChildren;
  required?: boolean;
}

/**
 * The options with the chosen value, which may be missing: a list shows the newest ones only.
 * @param text what the value is called; undefined while that is not known
 */
export const withChosen = (options: readonly Option[], value: string, text: string | undefined): readonly Option[] =>
  value === '' || options.some((option) => option.value === value)
    ? options
    : [...options, { value, text: text ?? value }];

/** A choice with its label. A chosen value that is not among the options is shown as it is. */
export const SelectInput = ({ label, value, options, from, onChange, hint, error, required }: SelectProps) => (
  <Labelled label={label} hint={hint} error={error} required={required ?? false}>
    {(attributes) => (
      <>
        <select
          class="input"
          {...attributes}
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        >
          {withChosen(options, value, undefined).map((option) => (
            <option value={option.value}>{option.text}</option>
          ))}
        </select>
        {from?.error ? <Refusal error={from.error} again={from.again} /> : null}
      </>
    )}
  </Labelled>
);
