import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useAddress } from '../kit/address.js';
import { failureIn, foundIn, useAttempt } from '../kit/attempt.js';
import { Icon } from '../kit/icon.js';
import { Refusal } from '../kit/refusal.js';
import type { Found } from '../kit/screen.js';
import { foundHere, namesPerson, ordered, searchServer, shortest } from './find.js';

/** Ctrl-K: everything by its name. People, things and messages are searched on the server, the rest here. */

const waitMs = 180;

const keyOf = ({ group, title, href }: Found): string => `${group} ${href ?? title}`;

export function Palette({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  /** The chosen result; what the server finds meanwhile does not change the choice. */
  const [chosen, choose] = useState<string>();
  /** The text with which Enter was pressed before the server had answered. */
  const [entered, enter] = useState<string>();
  const { path, go } = useAddress();
  const wanted = text.trim();
  const search = useAttempt(
    async (isWanted) => {
      if (wanted.length < shortest) return [];
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      return isWanted() ? searchServer(wanted) : [];
    },
    [wanted],
    failureIn,
  );
  const found = useMemo(
    () => [...ordered(wanted, foundIn(search.data ?? []).flat()), ...foundHere(text, path)],
    [text, search.data],
  );
  const selected = Math.max(
    0,
    found.findIndex((each) => keyOf(each) === chosen),
  );
  /** Not in an effect, which could come after Enter and forget it. */
  const type = (typed: string): void => {
    setText(typed);
    choose(undefined);
    enter(undefined);
  };
  const select = (at: number): void => {
    const each = found[at];
    choose(each && keyOf(each));
  };

  // Before the browser paints, so that no key of somebody who types on is lost.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(() => document.getElementById(`palette-${selected}`)?.scrollIntoView({ block: 'nearest' }), [selected]);

  const open = (each: Found | undefined): void => {
    if (each === undefined) return;
    onClose();
    if (each.href === undefined) each.run();
    else go(each.href);
  };
  useEffect(() => {
    if (entered === text && !search.loading) open(found[selected]);
  }, [entered, search.loading]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      select((selected + step + found.length) % found.length);
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      const each = found[selected];
      // Somebody who types an address wants its person, whom the server has not named yet.
      const isEarly = search.loading && chosen === undefined && (each === undefined || namesPerson(wanted));
      if (isEarly) enter(text);
      else if (event.ctrlKey && each?.href !== undefined) window.open(each.href, '_blank');
      else open(each);
    }
  };
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Search"
      onClose={onClose}
      onClick={({ target, currentTarget }) => (target === currentTarget ? onClose() : undefined)}
    >
      <div class="q">
        <Icon name="search" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-results"
          aria-activedescendant={found.length > 0 ? `palette-${selected}` : undefined}
          aria-label="Search people, names, actions"
          placeholder="A person, a name, an ID, or what you want to do"
          value={text}
          autofocus
          onInput={({ currentTarget }) => type(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <ul id="palette-results" role="listbox" aria-label="Results">
        {found.map((each, index) => (
          <>
            {found[index - 1]?.group === each.group ? null : (
              <li role="presentation" class="group">
                {each.group}
              </li>
            )}
            <li
              role="option"
              id={`palette-${index}`}
              aria-selected={index === selected}
              onClick={() => open(each)}
              onMouseMove={() => select(index)}
            >
              <Icon name={each.icon} />
              <b class="cut">{each.title}</b>
              <span class="soft cut">{each.beside}</span>
              <span class="right faint">{each.after}</span>
            </li>
          </>
        ))}
      </ul>
      {search.error !== undefined ? (
        <div class="in">
          <Refusal error={search.error} again={search.again} />
        </div>
      ) : found.length === 0 && text !== '' && !search.loading ? (
        <p class="in soft">Nothing has this name.</p>
      ) : null}
      <footer aria-hidden="true">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> navigate
        </span>
        <span>
          <kbd>Enter</kbd> open
        </span>
        <span>
          <kbd>Ctrl Enter</kbd> open in new tab
        </span>
      </footer>
    </dialog>
  );
}
