import { useId } from 'preact/hooks';

interface TabsProps<T extends string> {
  /** What is chosen among, for screen readers. */
  label: string;
  tabs: readonly T[];
  chosen: T;
  onChoose: (tab: T) => void;
}

/** A choice among views of the same thing. Arrow keys move it. */
export function Tabs<T extends string>({ label, tabs, chosen, onChoose }: TabsProps<T>) {
  const id = useId();
  return (
    <div role="tablist" aria-label={label} class="tabs">
      {tabs.map((each, index) => (
        <button
          key={each}
          type="button"
          role="tab"
          id={`${id}-${index}`}
          aria-selected={each === chosen}
          tabIndex={each === chosen ? 0 : -1}
          onClick={() => onChoose(each)}
          onKeyDown={({ key }) => {
            const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
            if (step === undefined) return;
            const next = (index + step + tabs.length) % tabs.length;
            const tab = tabs[next];
            if (tab !== undefined) onChoose(tab);
            document.getElementById(`${id}-${next}`)?.focus();
          }}
        >
          {each}
        </button>
      ))}
    </div>
  );
}
