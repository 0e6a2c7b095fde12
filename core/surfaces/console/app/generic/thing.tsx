import type { ConsoleOperation } from '../../shared.js';
import { formAddress, idFieldOf, listAddress } from '../../kit/address.js';
import { History } from '../../kit/history.js';
import { Button, Card, Head, Loading } from '../../kit/page.js';
import { useRead } from '../../kit/read.js';
import { Refusal } from '../../kit/refusal.js';
import { catalogue, refusalFor, type Row } from '../../kit/state.js';
import { Status } from '../../kit/status.js';
import { Facts, RowsTable, rowsAt, textAt } from '../../kit/value.js';
import { actionTitle, groupOf, groupTitle, labelOf, productOf, thingTitle } from '../../kit/words.js';

/** One thing, as its `get` shows it: facts on the left, what belongs to it and its history on the right. */
export function ThingScreen({ get, id }: { get: ConsoleOperation; id?: string }) {
  const [product, group] = [productOf(get), groupOf(get)];
  const field = idFieldOf(get);
  const input: Row = id === undefined || field === undefined ? {} : { [field]: id };
  const { data, error, again } = useRead(get.name, input);
  const title = thingTitle(group || product);
  if (error !== null && error !== undefined)
    return (
      <>
        <Head title={title} />
        <Refusal error={error} again={again} />
      </>
    );
  if (data === undefined) return <Loading />;
  const { main, parts } = split(data, group);
  const name = ['name', 'subject', 'email', 'domain', 'url', 'number', 'type', 'summary']
    .map((each) => textAt(main, each))
    .find((each) => each !== '');
  const status = textAt(main, 'status');
  const related = field === undefined || id === undefined ? [] : relatedLists(get, field);
  return (
    <>
      <Head
        title={name ?? (group === '' || id === undefined ? groupTitle(group || product) : title)}
        beside={
          <>
            {status === '' ? null : <Status status={status} />}
            <span class="tag">{get.name}</span>
          </>
        }
        actions={actionsOn(get, field, id === undefined).map((operation) => (
          <Button
            kind={operation.destructive ? 'danger' : undefined}
            href={formAddress(operation.name, filledIn(operation, main, input))}
            refused={refusalFor(operation)}
          >
            {actionTitle(operation)}
          </Button>
        ))}
      />
      <div class="two">
        <div class="stack">
          <Card title={title}>
            <Facts row={main} product={product} />
          </Card>
          {parts.map(([part, value]) => (
            <Card key={part} title={labelOf(part)} flush={Array.isArray(value)}>
              {Array.isArray(value) ? (
                <RowsTable rows={rowsAt(data, part)} product={product} label={labelOf(part)} />
              ) : (
                <Facts row={isRow(value) ? value : {}} product={product} />
              )}
            </Card>
          ))}
        </div>
        <div class="stack">
          {related.length === 0 ? null : (
            <Card title="Belongs to it">
              <ul class="links">
                {related.map((list) => (
                  <li>
                    <a href={listAddress(list, { [field ?? '']: id })}>
                      {groupTitle(groupOf(list) || productOf(list))}
                    </a>
                  </li>
                ))}
              </ul>
            </Card>
          )}
          {id === undefined ? null : <History id={id} />}
        </div>
      </div>
    </>
  );
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The thing itself, and the lists and objects beside it in the reply. */
function split(reply: Row, group: string): { main: Row; parts: (readonly [string, Row | readonly unknown[]])[] } {
  const entries = Object.entries(reply);
  const objects = entries.filter(([, value]) => isRow(value)).map(([name]) => name);
  const plain = entries.filter(([, value]) => !isRow(value) && !Array.isArray(value));
  // `{ broadcast: {…} }` is the broadcast; `{ messageId, status, … }` is the message.
  const own = group.split('.').at(-1) ?? '';
  const wrapper = objects.includes(own) ? own : plain.length === 0 ? objects[0] : undefined;
  const wrapped = wrapper === undefined ? undefined : reply[wrapper];
  const main = isRow(wrapped)
    ? { ...wrapped, ...Object.fromEntries(plain) }
    : Object.fromEntries(entries.filter(([, value]) => !isRow(value) && !hasRows(value)));
  const parts = entries.flatMap(([name, value]) =>
    name === wrapper || !(isRow(value) || hasRows(value)) ? [] : [[name, value] as const],
  );
  return { main, parts };
}

const hasRows = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRow);

/** The writes of this group and of the groups below it that take the thing's id. */
function actionsOn(get: ConsoleOperation, field: string | undefined, isOnly: boolean): ConsoleOperation[] {
  const [product, group] = [productOf(get), groupOf(get)];
  return (catalogue.value?.operations ?? [])
    .filter(
      (each) =>
        productOf(each) === product &&
        (groupOf(each) === group || groupOf(each).startsWith(`${group}.`)) &&
        each.read !== true &&
        each.access === 'secret' &&
        (isOnly || (field !== undefined && field in each.input)),
    )
    .sort((a, b) => Number(a.destructive ?? false) - Number(b.destructive ?? false))
    .slice(0, 8);
}

/** An update starts with the values that the thing has. */
const filledIn = (operation: ConsoleOperation, main: Row, input: Row): Row =>
  /\.(?:update|set)$/.test(operation.name)
    ? {
        ...Object.fromEntries(
          Object.keys(operation.input).flatMap((name) => {
            const value = main[name];
            return value === undefined || value === null || (Array.isArray(value) && value.length === 0)
              ? []
              : [[name, value]];
          }),
        ),
        ...('ifUnchangedSince' in operation.input && typeof main['updatedAt'] === 'string'
          ? { ifUnchangedSince: main['updatedAt'] }
          : {}),
        ...input,
      }
    : input;

/** Lists of other things that can be filtered by this one. */
const relatedLists = (get: ConsoleOperation, field: string): ConsoleOperation[] =>
  (catalogue.value?.operations ?? []).filter(
    (each) =>
      each.read === true &&
      each.access === 'secret' &&
      each.name.endsWith('.list') &&
      field in each.input &&
      each.name !== get.name,
  );
