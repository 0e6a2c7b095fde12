import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { CliField } from '../../cli/command-catalogue.js';
import type { ConsoleOperation } from '../shared.js';
import { formAddress, idFieldOf, inGroup, makersOf, nullText, thingAddress, useAddress } from './address.js';
import { Field } from './field.js';
import { fromQuery } from './form.js';
import { Button, Empty, LiveButton, Loading } from './page.js';
import { useReadOn } from './read-on.js';
import { Refusal } from './refusal.js';
import { refusalFor, type Row } from './state.js';
import { exactTime } from './time.js';
import { rowsAt, textAt, Value, valueAt } from './value.js';
import { actionTitle, choiceText, firstSentence, groupOf, groupTitle, labelOf, productOf } from './words.js';

/* A list: filters as chips, a table, pages by cursor. The address holds the filters and the page. */

export interface Column {
  readonly title: string;
  /** The field, or a path in the row. */
  readonly field: string;
  /** How the cell is shown; by its field's name if not given. */
  readonly show?: (row: Row) => ComponentChildren;
  readonly number?: true;
  /** It holds the actions on the row: on phones they are below it. */
  readonly actions?: true;
}

export interface ListProps {
  operation: ConsoleOperation;
  /** The columns, or what makes them from the reply; those of the registry if not given. */
  columns?: readonly Column[] | ((reply: Row) => readonly Column[]) | undefined;
  /** The address of a row's page; the page of its group's `get` if not given. */
  hrefOf?: ((row: Row) => string | undefined) | undefined;
  /** The input fields that are offered as filters; all plain ones if not given. */
  filters?: readonly string[] | undefined;
  /** Input that the screen sets. */
  fixed?: Row;
  /** What the list is empty of, and the first action. */
  empty?: ComponentChildren;
  /** Offers to repeat the read every few seconds. */
  live?: boolean;
  /** Above the table, beside the filters. */
  beside?: ComponentChildren;
}

const pageSize = 50;
const pollMs = 3_000;
const paging = ['before', 'limit', 'accessToken'];

const isPlain = ({ type, items }: CliField): boolean =>
  ['text', 'integer', 'number', 'boolean'].includes(type) || (type === 'list' && items?.type === 'text');

/** The input fields that can filter a list. */
export const filtersOf = ({ input }: ConsoleOperation, fixed: Row = {}): string[] =>
  Object.entries(input)
    .filter(([name, field]) => !paging.includes(name) && !(name in fixed) && isPlain(field))
    .map(([name]) => name);

export function List({ operation, columns, hrefOf, filters, fixed = {}, empty, live = false, beside }: ListProps) {
  const { query, path, go } = useAddress();
  const [isLive, setLive] = useState(false);
  const offered = filters ?? filtersOf(operation, fixed);
  const { list } = operation;
  const given = Object.fromEntries(
    [...offered, 'before'].flatMap((name) => {
      const text = query[name];
      return text === undefined || !(name in operation.input) ? [] : [[name, fromQuery(text, operation.input[name])]];
    }),
  );
  const input: Row = {
    ...given,
    ...fixed,
    ...(operation.pages && 'limit' in operation.input ? { limit: pageSize } : {}),
  };
  const missing = offered.find((name) => operation.input[name]?.required && !(name in input));
  const { data, error, loading, again, unfinished, searchOn } = useReadOn(operation.name, input, list?.field, {
    isLive,
    enabled: missing === undefined,
    pollMs: isLive ? pollMs : undefined,
  });
  const rows = list ? rowsAt(data, list.field) : [];
  const next = textAt(data, 'nextBefore');
  const set = (changes: Readonly<Record<string, unknown>>): void => {
    const { before: _, ...kept } = query;
    const texts = new URLSearchParams(kept);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined || value === '') texts.delete(name);
      else texts.set(name, typeof value === 'string' ? value : JSON.stringify(value));
    }
    go(`${location.pathname}?${texts.toString()}`.replace(/\?$/, ''));
  };
  const product = productOf(operation);
  const shower = inGroup(product, groupOf(operation), 'get');
  const idField = shower && idFieldOf(shower);
  const address =
    hrefOf ??
    ((row: Row): string | undefined => {
      if (!shower || idField === undefined) return undefined;
      const id = textAt(row, idField) || textAt(row, 'id') || textAt(row, 'name');
      return id === '' ? undefined : thingAddress(shower, id);
    });
  const filtered = offered.some((name) => query[name] !== undefined);
  const shown = typeof columns === 'function' ? columns(data ?? {}) : (columns ?? columnsOf(list?.columns ?? [], rows));

  return (
    <section class="card" aria-label={groupTitle(groupOf(operation) || product)}>
      {offered.length === 0 && beside === undefined && !live ? null : (
        <div class="filters">
          {offered.map((name) => (
            <Filter
              key={`${path.join('/')} ${name}`}
              name={name}
              field={operation.input[name]}
              text={query[name]}
              onSet={(value) => set({ [name]: value })}
            />
          ))}
          <span class="right" />
          {beside}
          {live ? <LiveButton isLive={isLive} onChange={setLive} /> : null}
        </div>
      )}
      {missing !== undefined ? (
        <Empty title={`Set “${labelOf(missing)}” to see the list.`} />
      ) : error !== null && error !== undefined ? (
        <div class="in">
          <Refusal error={error} again={again} />
        </div>
      ) : data === undefined ? (
        <Loading />
      ) : rows.length === 0 && unfinished ? (
        <Unfinished {...unfinished} searchOn={searchOn} />
      ) : rows.length === 0 ? (
        filtered || query['before'] !== undefined ? (
          <Empty
            title="Nothing matches these filters."
            action={<Button onClick={() => go(location.pathname)}>Remove the filters</Button>}
          />
        ) : (
          (empty ?? <FirstOnes operation={operation} />)
        )
      ) : (
        <Rows rows={rows} columns={shown} hrefOf={address} product={product} faded={loading} />
      )}
      {rows.length > 0 && (next !== '' || query['before'] !== undefined) ? (
        <div class="pages">
          {query['before'] === undefined ? null : (
            <Button kind="small" onClick={() => set({})}>
              First page
            </Button>
          )}
          <span class="right">{rows.length} on this page</span>
          {next === '' ? null : (
            <Button kind="small" onClick={() => set({ before: next })}>
              Next page
            </Button>
          )}
        </div>
      ) : null}
    </section>
  );
}

/** Nothing has matched so far, and there is more to search. */
function Unfinished({
  since,
  searching,
  searchOn,
}: {
  since: string | undefined;
  searching: boolean;
  searchOn(): void;
}) {
  const reach = since === undefined ? 'so far' : `back to ${exactTime(since)}`;
  if (searching)
    return (
      <>
        <p class="in soft" role="status">
          {`Searching. Nothing matches ${reach}.`}
        </p>
        <Loading />
      </>
    );
  return <Empty title={`Nothing matches ${reach}.`} action={<Button onClick={searchOn}>Search further back</Button>} />;
}

/** The registry's columns, without ids, which the links hold, and without those that are empty in every row. */
function columnsOf(fields: readonly string[], rows: readonly Row[]): Column[] {
  const filled = fields.filter((field) => rows.some((row) => !isEmpty(valueAt(row, field))));
  const words = filled.filter((field) => !/^id$|Id$/.test(field));
  return (words.length === 0 ? filled : words).map((field) => ({ title: labelOf(titleWord(field)), field }));
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** `blocked.reason` is “Blocked reason”; `counts.sent` is “Sent”. */
const titleWord = (field: string): string => (/^counts\./.test(field) ? field.slice(7) : field.replaceAll('.', ' '));

/** What an empty list shows by default: what belongs there, and how to make the first one. */
function FirstOnes({ operation }: { operation: ConsoleOperation }) {
  const [make] = makersOf(productOf(operation), groupOf(operation));
  return (
    <Empty
      title={`No ${groupTitle(groupOf(operation) || productOf(operation)).toLowerCase()} yet.`}
      action={
        make ? (
          <Button kind="main" href={formAddress(make.name)} refused={refusalFor(make)}>
            {actionTitle(make)}
          </Button>
        ) : undefined
      }
    >
      {make ? `${firstSentence(make.summary)}.` : undefined}
    </Empty>
  );
}

interface FilterProps {
  name: string;
  field: CliField | undefined;
  text: string | undefined;
  onSet: (value: unknown) => void;
}

/** One filter: a chip that shows its value, and opens its field. */
function Filter({ name, field, text, onSet }: FilterProps) {
  const [draft, setDraft] = useState<unknown>(text === undefined ? undefined : fromQuery(text, field));
  if (!field) return null;
  const isOn = text !== undefined;
  return (
    <details
      class="filter-box"
      name="filter"
      onToggle={({ currentTarget }) => {
        if (!currentTarget.open) return;
        setDraft(text === undefined ? undefined : fromQuery(text, field));
        currentTarget.querySelector<HTMLElement>('input, select, textarea')?.focus();
      }}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Escape') close(currentTarget);
      }}
    >
      <summary class={`filter ${isOn ? 'on' : ''}`}>
        {labelOf(name)} {isOn ? <b>{shownValue(field, text)}</b> : null}
      </summary>
      <form
        class="panel stack"
        onSubmit={(event) => {
          event.preventDefault();
          close(event.currentTarget.closest('details'));
          onSet(draft);
        }}
      >
        <Field name={name} path={name} field={field} value={draft} onChange={setDraft} />
        <div class="row">
          <Button kind="main" submit>
            Apply filter
          </Button>
          {isOn ? <Button onClick={() => onSet(undefined)}>Remove filter</Button> : null}
        </div>
      </form>
    </details>
  );
}

/** Closes a filter; the focus returns to its chip. */
function close(box: HTMLDetailsElement | null): void {
  if (!box) return;
  box.open = false;
  box.querySelector<HTMLElement>('summary')?.focus();
}

const shownValue = (field: CliField, text: string): string =>
  text === nullText
    ? 'none'
    : field.choices
      ? choiceText(text)
      : field.type === 'boolean'
        ? text === 'true'
          ? 'yes'
          : 'no'
        : text.slice(0, 40);

interface RowsProps {
  rows: readonly Row[];
  columns: readonly Column[];
  hrefOf: (row: Row) => string | undefined;
  product: string;
  faded?: boolean;
  /** A control before each row, such as the box that selects it, and the one above them. */
  lead?: { readonly head: ComponentChildren; readonly cell: (row: Row) => ComponentChildren };
}

/** On phones a row becomes two lines: the first column, the status, another one, the time. */
function phoneClass(column: Column, index: number, columns: readonly Column[]): string {
  if (column.actions) return 'row-acts';
  const isMain = ({ field, show, actions }: Column): boolean =>
    !actions && !/(?:status|At)$/.test(field) && (show !== undefined || !/(?:^id|Id)$/.test(field));
  const main = columns.findIndex(isMain);
  if (index === (main === -1 ? 0 : main)) return 'a';
  if (/status$/i.test(column.field)) return 'bq';
  if (/At$/.test(column.field) && columns.findIndex(({ field }) => /At$/.test(field)) === index) return 'time d2';
  const second = columns.findIndex((each, at) => at !== main && isMain(each));
  return index === second ? 'c2' : '';
}

/** The rows of a list. Arrow keys move between them; Enter opens one. */
export const Rows = ({ rows, columns, hrefOf, product, faded = false, lead }: RowsProps) => (
  <div class="scroll">
    <table class={`rows ${faded ? 'faded' : ''} ${lead ? 'led' : ''}`}>
      <thead>
        <tr>
          {lead ? <th scope="col">{lead.head}</th> : null}
          {columns.map(({ title, number }) => (
            <th scope="col" class={number ? 'num' : ''}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => {
          const href = hrefOf(row);
          const linked = columns.findIndex(({ field }) => !isEmpty(valueAt(row, field)));
          return (
            <tr key={textAt(row, 'id') || index} onKeyDown={moveBetweenRows}>
              {lead ? <td class="lead">{lead.cell(row)}</td> : null}
              {columns.map((column, at) => {
                const cell = column.show ? (
                  column.show(row)
                ) : (
                  <Value
                    name={column.field.split('.').at(-1) ?? ''}
                    value={valueAt(row, column.field)}
                    product={product}
                    brief
                  />
                );
                return (
                  <td class={`${phoneClass(column, at, columns)} ${column.number ? 'num' : ''}`}>
                    {href !== undefined && at === Math.max(0, linked) ? (
                      <a class="row-link" href={href}>
                        {cell}
                      </a>
                    ) : (
                      cell
                    )}
                  </td>
                );
              })}
            </tr>
          );
        })}
      </tbody>
    </table>
  </div>
);

function moveBetweenRows(event: KeyboardEvent & { currentTarget: HTMLTableRowElement }): void {
  const { key, currentTarget } = event;
  const other =
    key === 'ArrowDown'
      ? currentTarget.nextElementSibling
      : key === 'ArrowUp'
        ? currentTarget.previousElementSibling
        : null;
  const link = other?.querySelector<HTMLElement>('.row-link');
  if (!link) return;
  event.preventDefault();
  link.focus();
}
