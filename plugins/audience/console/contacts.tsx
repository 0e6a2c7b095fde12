import { useEffect, useState } from 'preact/hooks';
import {
  addressOf,
  Button,
  Empty,
  Head,
  Loading,
  OperationButton,
  Refusal,
  refusalFor,
  rowAt,
  Rows,
  rowsAt,
  textAt,
  Time,
  useAddress,
  useDraft,
  useLater,
  useRead,
  Value,
  type Column,
  type Row,
} from '#core/surfaces/console/kit/index.js';
import { BulkBar } from './contact-bulk.js';
import { ContactColumns, useChosenColumns } from './contact-columns.js';
import { ExportContacts } from './contact-export.js';
import { ContactFilters, listInput, useContactFilter, type ContactFilter } from './contact-filters.js';
import { readContacts } from './contact-pages.js';
import { contactTexts } from './contact-texts.js';

const pageSize = 50;
const mostSelected = 5_000;
const isId = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

const nameOf = (row: Row): string =>
  [textAt(row, 'firstName'), textAt(row, 'lastName')].filter((part) => part !== '').join(' ');

/** The columns that a table can have besides the name, by their names. */
const shown: Readonly<Record<string, Column>> = {
  email: { title: 'Email', field: 'email' },
  phone: { title: 'Phone', field: 'phone' },
  locale: { title: 'Language', field: 'locale' },
  externalId: { title: 'Your ID', field: 'externalId' },
  createdAt: { title: 'Added', field: 'createdAt', show: (row) => <Time at={textAt(row, 'createdAt')} /> },
};

const columnOf = (name: string): Column =>
  shown[name] ?? {
    title: name.slice('properties.'.length),
    field: name,
    show: (row) => <Value name="" value={rowAt(row, 'properties')[name.slice('properties.'.length)]} brief />,
  };

const nameColumn: Column = {
  title: 'Name',
  field: 'id',
  show: (row) => nameOf(row) || <span class="faint">{textAt(row, 'email') || textAt(row, 'phone') || 'No name'}</span>,
};

/** The number of contacts that match; undefined while it is not known, or for a search. */
function useSize({ segmentId, topic, channel, definition }: ContactFilter, search: string): number | undefined {
  const { data: segment } = useRead('audience.segment.get', { segmentId }, { enabled: segmentId !== '' });
  const granted = (on: 'email' | 'sms') => ({ field: `consent.${on}.${topic}`, op: 'eq', value: 'granted' });
  const on = channel === '' ? (['email', 'sms'] as const) : [channel];
  const parts = [
    ...(segment ? [segment.segment.definition] : []),
    ...(topic === '' ? [] : [{ any: on.map(granted) }]),
    ...(definition === undefined ? [] : [definition]),
  ];
  const isCountable = search === '' && (topic !== '' || channel === '') && (segmentId === '' || segment !== undefined);
  const whole = { field: 'createdAt', op: 'exists' };
  const { data } = useRead(
    'audience.segment.preview',
    { definition: parts.length === 0 ? whole : { all: parts }, sample: 0 },
    { enabled: isCountable },
  );
  return isCountable ? data?.size : undefined;
}

/** Every contact: found by a search and filters, shown in chosen columns, changed and exported together. */
export default function Contacts() {
  const { query, go } = useAddress();
  const filter = useContactFilter();
  const typed = useDraft<string>('contacts search');
  const search = useLater((typed.value ?? '').trim(), 300);
  const input = listInput(filter, isId(search) ? '' : search);
  const page = query['before'];
  const { data, error, loading, again } = useRead('audience.contact.list', {
    ...input,
    limit: pageSize,
    ...(page === undefined ? {} : { before: page }),
  });
  const byId = useRead('audience.contact.get', { contactId: search }, { enabled: isId(search) });
  const size = useSize(filter, search);
  const rows = isId(search) ? (byId.data ? [rowAt(byId.data, 'contact')] : []) : rowsAt(data, 'contacts');
  const next = isId(search) ? '' : textAt(data, 'nextBefore');
  const [chosen, choose] = useState<ReadonlyMap<string, Row>>(new Map());
  const [problem, setProblem] = useState<unknown>();
  const key = JSON.stringify(input);
  useEffect(() => {
    choose(new Map());
    if (page !== undefined && search !== '') filter.set({});
  }, [key]);
  const columns = useChosenColumns();
  const isFiltered = key !== '{}' || search !== '';

  const toggle = (row: Row): void => {
    const next = new Map(chosen);
    if (!next.delete(textAt(row, 'id'))) next.set(textAt(row, 'id'), row);
    choose(next);
  };
  const isAll = rows.length > 0 && rows.every((row) => chosen.has(textAt(row, 'id')));
  const togglePage = (): void => {
    const next = new Map(chosen);
    for (const row of rows) {
      if (isAll) next.delete(textAt(row, 'id'));
      else next.set(textAt(row, 'id'), row);
    }
    choose(next);
  };
  const selectAll = async (): Promise<void> => {
    setProblem(undefined);
    await readContacts(input, mostSelected, () => true)
      .then((all) => choose(new Map(all.map((row) => [textAt(row, 'id'), row]))))
      .catch(setProblem);
  };
  const add = (
    <OperationButton
      operation="audience.contact.upsert"
      action="Add contact"
      kind="main"
      icon="plus"
      opens="create"
      input={{}}
      fields={['email', 'phone', 'firstName', 'lastName']}
      done="Contact added"
      onDone={({ result }) => go(addressOf(['audience', 'contact', textAt(result, 'contact.id')]))}
    />
  );
  return (
    <>
      <Head
        title="Contacts"
        beside={size === undefined || isFiltered ? undefined : <span class="soft">{size.toLocaleString('en')}</span>}
        sub={contactTexts.sub}
        actions={
          <>
            <ExportContacts filter={input} size={size} />
            <Button
              icon="upload"
              href={addressOf(['audience', 'import'])}
              refused={refusalFor('audience.contact.import')}
            >
              Import a file
            </Button>
            {add}
          </>
        }
      />
      <section class="card" aria-label="Contacts">
        <div class="filters">
          <input
            class="input search"
            type="search"
            aria-label={contactTexts.search}
            placeholder="Name, address, phone or ID"
            autocomplete="off"
            value={typed.value ?? ''}
            onInput={({ currentTarget: { value } }) => typed.edit(value === '' ? undefined : value)}
          />
          <ContactFilters />
          <span class="right faint small" role="status">
            {size === undefined || !isFiltered ? '' : `${size.toLocaleString('en')} contacts`}
          </span>
          <ContactColumns known={Object.keys(shown)} rows={rows} {...columns} />
        </div>
        {chosen.size === 0 ? null : (
          <BulkBar
            rows={[...chosen.values()]}
            size={size !== undefined && chosen.size < Math.min(size, mostSelected) ? size : undefined}
            onAll={() => void selectAll()}
            onNone={() => choose(new Map())}
          />
        )}
        {chosen.size < mostSelected ? null : <p class="in soft">{contactTexts.mostSelected}</p>}
        {problem === undefined ? null : <Refusal error={problem} />}
        {error ? (
          <div class="in">
            <Refusal error={error} again={again} />
          </div>
        ) : data === undefined ? (
          <Loading />
        ) : rows.length === 0 ? (
          isFiltered ? (
            <Empty
              title="Nobody matches."
              action={
                <Button
                  onClick={() => {
                    typed.edit(undefined);
                    go(location.pathname);
                  }}
                >
                  Remove the filters
                </Button>
              }
            />
          ) : (
            <Empty title={contactTexts.emptyTitle} action={add}>
              {contactTexts.empty}
            </Empty>
          )
        ) : (
          <Rows
            rows={rows}
            columns={[nameColumn, ...columns.chosen.map(columnOf)]}
            product="audience"
            faded={loading}
            hrefOf={(row) => addressOf(['audience', 'contact', textAt(row, 'id')])}
            lead={{
              head: <input type="checkbox" aria-label="Select this page" checked={isAll} onChange={togglePage} />,
              cell: (row) => (
                <input
                  type="checkbox"
                  aria-label={`Select ${nameOf(row) || textAt(row, 'email') || textAt(row, 'phone') || 'contact'}`}
                  checked={chosen.has(textAt(row, 'id'))}
                  onChange={() => toggle(row)}
                />
              ),
            }}
          />
        )}
        {rows.length > 0 && (next !== '' || page !== undefined) ? (
          <div class="pages">
            {page === undefined ? null : (
              <Button kind="small" onClick={() => filter.set({})}>
                First page
              </Button>
            )}
            <span class="right">{rows.length} on this page</span>
            {next === '' ? null : (
              <Button kind="small" onClick={() => go(addressOf(['audience', 'contact'], { ...query, before: next }))}>
                Next page
              </Button>
            )}
          </div>
        ) : null}
      </section>
    </>
  );
}
