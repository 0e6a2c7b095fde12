import { useId, useState } from 'preact/hooks';
import { has, rowsAt, textAt, useLater, useRead, type Row } from '#core/surfaces/console/kit/index.js';

const isAddress = (text: string): boolean => /^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;]+$/.test(text);

const nameOf = (contact: Row): string =>
  [textAt(contact, 'firstName'), textAt(contact, 'lastName')].filter((part) => part !== '').join(' ');

interface RecipientsProps {
  label: string;
  /** Addresses. */
  value: readonly string[];
  onChange: (value: readonly string[]) => void;
  hint?: string;
}

/** Addresses as chips. People are found by the beginning of their name or address, with the arrow keys and Enter. */
export function Recipients({ label, value, onChange, hint }: RecipientsProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const typed = useLater(text.trim(), 200);
  const isSearching = typed.length > 1 && has('audience.contact.list');
  const { data } = useRead('audience.contact.list', { query: typed, limit: 8 }, { enabled: isSearching });
  const found =
    isSearching && text.trim() === typed
      ? rowsAt(data, 'contacts').filter(
          (each) => textAt(each, 'email') !== '' && !value.includes(textAt(each, 'email')),
        )
      : [];
  const add = (address: string): void => {
    if (!value.includes(address)) onChange([...value, address]);
    setText('');
    setAt(0);
  };
  const addTyped = (): boolean => {
    const given = text.split(/[,;\s]+/).filter((part) => part !== '');
    if (given.length === 0 || !given.every(isAddress)) return false;
    onChange([...new Set([...value, ...given])]);
    setText('');
    return true;
  };
  return (
    <div class="mail-row">
      <label for={id}>{label}</label>
      <div class="recipients">
        {value.map((address) => (
          <span key={address} class="recipient">
            {address}
            <button
              type="button"
              aria-label={`Remove ${address}`}
              onClick={() => onChange(value.filter((each) => each !== address))}
            >
              ×
            </button>
          </span>
        ))}
        <input
          id={id}
          type="text"
          role="combobox"
          aria-expanded={found.length > 0}
          aria-controls={`${id}-found`}
          aria-autocomplete="list"
          aria-activedescendant={found[at] ? `${id}-${at}` : undefined}
          autocomplete="off"
          placeholder={value.length === 0 ? hint : ''}
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            setAt(0);
          }}
          onBlur={() => addTyped()}
          onKeyDown={(event) => {
            const { key } = event;
            if (key === 'Backspace' && text === '' && value.length > 0) onChange(value.slice(0, -1));
            if (key === 'ArrowDown' && found.length > 0) setAt((at + 1) % found.length);
            if (key === 'ArrowUp' && found.length > 0) setAt((at + found.length - 1) % found.length);
            if (key === 'Escape') setText('');
            if (key !== 'Enter' && key !== ',' && key !== ';') return;
            event.preventDefault();
            const chosen = found[at];
            if (!addTyped() && chosen) add(textAt(chosen, 'email'));
          }}
        />
        <ul id={`${id}-found`} role="listbox" aria-label="People" class={found.length === 0 ? 'unseen' : 'found'}>
          {found.map((contact, index) => (
            <li
              key={textAt(contact, 'id')}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              // Before the field loses the focus.
              onMouseDown={(event) => {
                event.preventDefault();
                add(textAt(contact, 'email'));
              }}
            >
              {nameOf(contact) || textAt(contact, 'email')} <span class="faint">{textAt(contact, 'email')}</span>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
