import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formAddress, idFieldOf, thingAddress, useAddress } from '../kit/address.js';
import { failureIn, foundIn, outcomesOf, useAttempt, type Outcome } from '../kit/attempt.js';
import { Icon } from '../kit/icon.js';
import { readOnce } from '../kit/read.js';
import { Refusal } from '../kit/refusal.js';
import type { Found } from '../kit/screen.js';
import { catalogue, refusalFor } from '../kit/state.js';
import { actionTitle, groupOf, productOf, thingTitle } from '../kit/words.js';
import { entriesOf, iconOf, openProducts, partsOf } from './navigation.js';

/** Ctrl-K: everything by its name. People and messages are searched on the server, screens and operations here. */

const waitMs = 180;
/** Shorter texts are not searched on the server. */
const shortest = 2;
const mostOfEach = 6;

export function Palette({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [selected, select] = useState(0);
  const { go } = useAddress();
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
  const found = useMemo(() => [...foundIn(search.data ?? []).flat(), ...localResults(text)], [text, search.data]);

  // Before the browser paints, so that no key of somebody who types on is lost.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(() => document.getElementById(`palette-${selected}`)?.scrollIntoView({ block: 'nearest' }), [selected]);
  useEffect(() => select(0), [text]);

  const open = (href: string | undefined): void => {
    if (href === undefined) return;
    onClose();
    go(href);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      select((selected + step + found.length) % found.length);
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      const href = found[selected]?.href;
      if (event.ctrlKey && href !== undefined) window.open(href, '_blank');
      else open(href);
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
          aria-label="Search people, messages, actions"
          placeholder="An email address, a name, an id, or what you want to do"
          value={text}
          autofocus
          onInput={({ currentTarget }) => setText(currentTarget.value)}
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
              onClick={() => open(each.href)}
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

/** All words of the query begin a word of the text. */
function matches(query: string, text: string): boolean {
  const words = text.toLowerCase().split(/[\s._-]+/);
  return query
    .toLowerCase()
    .split(/[\s.]+/)
    .filter((part) => part !== '')
    .every((part) => words.some((word) => word.startsWith(part)));
}

function localResults(text: string): Found[] {
  const screens = openProducts().flatMap(({ name, title }) =>
    entriesOf(name).map((entry): Found => ({
      group: 'Screens',
      icon: iconOf(name),
      title: entry.title,
      beside: title,
      href: entry.href,
    })),
  );
  const actions = (catalogue.value?.operations ?? [])
    .filter((operation) => operation.access === 'secret' && refusalFor(operation) === undefined)
    .map((operation): Found & { words: string } => ({
      group: 'Actions',
      icon: operation.read ? 'list' : 'play',
      title: actionTitle(operation),
      after: operation.name,
      href: formAddress(operation.name),
      words: `${actionTitle(operation)} ${operation.name} ${operation.summary}`,
    }));
  if (text.trim() === '') return screens.slice(0, mostOfEach * 2);
  return [
    ...screens.filter(({ title, beside }) => matches(text, `${title} ${beside ?? ''}`)).slice(0, mostOfEach),
    ...actions.filter(({ words }) => matches(text, words)).slice(0, mostOfEach * 2),
  ];
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function searchServer(text: string): Promise<Outcome<readonly Found[]>[]> {
  if (uuid.test(text)) return byId(text.toLowerCase());
  const searches = await partsOf((product) => product.search);
  return outcomesOf(searches.map((search) => () => search(text)));
}

/** Finds the thing with a pasted id, by asking every operation that shows one. */
function byId(id: string): Promise<Outcome<readonly Found[]>[]> {
  const shows = (catalogue.value?.operations ?? []).filter(
    (each) => each.name.endsWith('.get') && each.access === 'secret' && /Id$/.test(idFieldOf(each) ?? ''),
  );
  return outcomesOf(
    shows.map((get) => async (): Promise<readonly Found[]> => {
      await readOnce(get.name, { [idFieldOf(get) ?? '']: id });
      const title = thingTitle(groupOf(get));
      return [{ group: 'By id', icon: iconOf(productOf(get)), title, after: get.name, href: thingAddress(get, id) }];
    }),
  );
}
