import type { ComponentChildren } from 'preact';
import { showerOf, thingAddress } from './address.js';
import { CopyButton } from './page.js';
import type { Row } from './state.js';
import { Status } from './status.js';
import { isTime, Time } from './time.js';
import { labelOf } from './words.js';

/* How values of replies are shown. Everything is text: nothing that a contact or an endpoint wrote is read as HTML. */

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path such as `counts.sent`. */
export const valueAt = (row: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (isRow(value) ? value[name] : undefined), row);

/** The text at a path; '' if there is none. */
export const textAt = (row: unknown, path: string): string => {
  const value = valueAt(row, path);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

export const rowAt = (row: unknown, path: string): Row => {
  const value = valueAt(row, path);
  return isRow(value) ? value : {};
};

export const rowsAt = (row: unknown, path: string): readonly Row[] => {
  const value = valueAt(row, path);
  return Array.isArray(value) ? value.filter(isRow) : [];
};

const number = new Intl.NumberFormat('en');
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface ValueProps {
  /** The field's name, which decides how it is shown. */
  name: string;
  value: unknown;
  product?: string | undefined;
  /** On one line, in a table. */
  brief?: boolean;
}

/** One value of a reply. */
export function Value({ name, value, product, brief = false }: ValueProps): ComponentChildren {
  if (value === null || value === undefined || value === '') return <span class="faint">–</span>;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return number.format(value);
  if (typeof value === 'string') return textValue({ name, value, product, brief });
  if (Array.isArray(value)) return listValue({ name, value, product, brief });
  if (!isRow(value)) return null;
  const fields = Object.entries(value);
  if (isMoney(value)) return money(value);
  const named = ['label', 'name', 'email', 'summary', 'message']
    .map((field) => textAt(value, field))
    .find((text) => text !== '');
  if (brief && named !== undefined) return named;
  if (brief && typeof value['type'] === 'string' && typeof value['id'] === 'string')
    return (
      <>
        {labelOf(value['type'])} <code title={value['id']}>…{value['id'].slice(-8)}</code>
      </>
    );
  if (brief) return fields.map(([field, each]) => `${labelOf(field)} ${plain(each)}`).join(', ');
  if (fields.length === 0) return <span class="faint">None</span>;
  return <Facts row={value} product={product} />;
}

/** An amount of money, as replies have it. */
const isMoney = (value: Row): value is { currency: string; amount: string } =>
  Object.keys(value).length === 2 &&
  /^[A-Z]{3}$/.test(textAt(value, 'currency')) &&
  /^-?\d+(?:\.\d+)?$/.test(textAt(value, 'amount'));

/** An amount in its currency, with all of its decimals. */
export const money = ({ currency, amount }: { currency: string; amount: string }): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency, maximumFractionDigits: 6 }).format(Number(amount));

const plain = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : value === null || value === undefined
      ? '–'
      : '…';

function textValue({ name, value, product, brief }: ValueProps & { value: string }): ComponentChildren {
  if (/^(?:status|state)$|Status$/.test(name)) return <Status status={value} />;
  if (isTime(value)) return <Time at={value} />;
  if (uuid.test(value)) return <IdValue name={name} id={value} product={product} brief={brief} />;
  if (!brief && /^https:\/\/\S+$/.test(value))
    return (
      <a href={value} target="_blank" rel="noopener noreferrer">
        {value}
      </a>
    );
  if (!brief && value.includes('\n')) return <pre class="text">{value}</pre>;
  return value;
}

/** An id: a link to the thing, if an operation shows it. */
function IdValue({
  name,
  id,
  product,
  brief,
}: {
  name: string;
  id: string;
  product: string | undefined;
  brief: boolean | undefined;
}) {
  const shower = name === 'id' ? undefined : showerOf(name, product);
  const text = <code title={id}>{brief ? `…${id.slice(-8)}` : id}</code>;
  return (
    <>
      {shower ? <a href={thingAddress(shower, id)}>{text}</a> : text}
      {brief ? null : <CopyButton text={id} label="Copy the id" />}
    </>
  );
}

function listValue({ name, value, product, brief }: ValueProps & { value: readonly unknown[] }): ComponentChildren {
  if (value.length === 0) return <span class="faint">None</span>;
  if (brief) return value.every(isRow) ? number.format(value.length) : value.map(plain).join(', ');
  if (value.every(isRow)) return <RowsTable rows={value} product={product} label={labelOf(name)} />;
  return (
    <span class="tags">
      {value.map((each) => (
        <span class="tag">
          <Value name={name} value={each} product={product} brief />
        </span>
      ))}
    </span>
  );
}

/** A short list of objects inside a detail: a table of their plain fields. */
export function RowsTable({
  rows,
  product,
  label = 'Table',
}: {
  rows: readonly Row[];
  product?: string | undefined;
  /** What it lists, for screen readers; unique on the screen. */
  label?: string;
}) {
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))].slice(0, 8);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {fields.map((field) => (
              <th scope="col">{labelOf(field)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {fields.map((field) => (
                <td>
                  <Value name={field} value={row[field]} product={product} brief />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Names and values. @param only the fields to show, in this order; all if not given */
export function Facts({ row, product, only }: { row: Row; product?: string | undefined; only?: readonly string[] }) {
  const fields = only ?? Object.keys(row);
  return (
    <dl class="facts">
      {fields.map((field) => (
        <>
          <dt>{labelOf(field.split('.').at(-1) ?? field)}</dt>
          <dd>
            <Value name={field.split('.').at(-1) ?? field} value={valueAt(row, field)} product={product} />
          </dd>
        </>
      ))}
    </dl>
  );
}
