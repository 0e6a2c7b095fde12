import { useState } from 'preact/hooks';
import { labelOf, rowAt, type Row } from '#core/surfaces/console/kit/index.js';

const storedName = 'svc.contacts.columns';
const usual: readonly string[] = ['email', 'phone', 'createdAt'];
const mostColumns = 8;

/** The names that the browser has kept. */
function kept(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storedName) ?? 'null');
    const names = Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : [];
    return names.length === 0 ? usual : names.slice(0, mostColumns);
  } catch {
    return usual;
  }
}

interface Chosen {
  /** Names of fields, and of properties as `properties.plan`. */
  readonly chosen: readonly string[];
  readonly choose: (names: readonly string[]) => void;
}

/** The columns of the list, which the browser remembers. */
export function useChosenColumns(): Chosen {
  const [chosen, set] = useState(kept);
  return {
    chosen,
    choose(names) {
      set(names);
      try {
        localStorage.setItem(storedName, JSON.stringify(names));
      } catch {
        // The storage is full or turned off: the choice lasts as long as the screen.
      }
    },
  };
}

/** The menu that chooses columns: fields, and the properties of the contacts on screen. */
export function ContactColumns({
  known,
  rows,
  chosen,
  choose,
}: Chosen & { known: readonly string[]; rows: readonly Row[] }) {
  const properties = rows.flatMap((row) => Object.keys(rowAt(row, 'properties'))).map((key) => `properties.${key}`);
  const names = [...new Set([...known, ...properties, ...chosen])];
  return (
    <details
      class="filter-box columns"
      name="filter"
      onKeyDown={({ key, currentTarget }) => {
        if (key !== 'Escape') return;
        currentTarget.open = false;
        currentTarget.querySelector('summary')?.focus();
      }}
    >
      <summary class="b bare small">Columns</summary>
      <fieldset class="panel stack tight">
        <legend class="unseen">Columns to show</legend>
        {names.map((name) => (
          <label key={name} class="row">
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              onChange={({ currentTarget: { checked } }) =>
                choose(checked ? [...chosen, name].slice(0, mostColumns) : chosen.filter((each) => each !== name))
              }
            />{' '}
            {name.startsWith('properties.')
              ? name.slice('properties.'.length)
              : name === 'createdAt'
                ? 'Added'
                : labelOf(name)}
          </label>
        ))}
      </fieldset>
    </details>
  );
}
