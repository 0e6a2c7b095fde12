import { useState } from 'preact/hooks';
import type { LabelledAttributes } from './labelled.js';
import { propertyValue } from './property-value.js';
import { textAt } from './value.js';

const textOf = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(textOf).join(', ')
    : typeof value === 'boolean'
      ? String(value)
      : textAt({ value }, 'value');

interface PropertyInputProps {
  value: unknown;
  /** Gets a number, true, false or a text; with `isText` always a text, with `isList` a list. */
  onChange: (value: unknown) => void;
  isText?: boolean;
  /** Several values, separated by commas. */
  isList?: boolean;
  /** Attributes of its label, or a label for screen readers. */
  attributes: LabelledAttributes | { readonly 'aria-label': string };
}

/** The value of a property. It keeps the text as typed, because “1.0” on the way to “1.05” is a number already. */
export function PropertyInput({ value, onChange, isText = false, isList = false, attributes }: PropertyInputProps) {
  const [text, edit] = useState(textOf(value));
  const read = (part: string): unknown => (isText ? part : propertyValue(part));
  return (
    <input
      class="input value"
      autocomplete="off"
      placeholder={isList ? 'pro, team' : ''}
      {...attributes}
      value={text}
      onInput={({ currentTarget }) => {
        edit(currentTarget.value);
        const parts = currentTarget.value.split(',').map((part) => part.trim());
        onChange(isList ? parts.filter((part) => part !== '').map(read) : read(currentTarget.value));
      }}
    />
  );
}
