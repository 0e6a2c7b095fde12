import { escape } from 'mysql2';
import { rememberByText } from './remember-by-text.js';
import type { SqlValue, Statement } from './statement.js';

/** A text in parts: between two of them is a placeholder. */
type Parts = readonly string[];

/** A placeholder, or a piece of the text that may contain a question mark: a string, a quoted name, a comment. */
const token = /\?|'(?:[^'\\]|\\.)*'|`[^`]*`|--\s[^\n]*|\/\*(?![!+])[\s\S]*?\*\//g;

function split(sql: string): Parts {
  const parts: string[] = [];
  let start = 0;
  for (const { 0: found, index } of sql.matchAll(token)) {
    if (found !== '?') continue;
    parts.push(sql.slice(start, index));
    start = index + 1;
  }
  parts.push(sql.slice(start));
  return parts;
}

const partsOf = rememberByText(split);

const isList = (value: SqlValue): value is readonly SqlValue[] => Array.isArray(value);

function valueText(value: SqlValue): string {
  if (Buffer.isBuffer(value)) return `X'${value.toString('hex')}'`;
  if (typeof value === 'object' && value !== null && 'toSqlString' in value) return value.toSqlString();
  if (isList(value)) return value.map((each) => (isList(each) ? `(${valueText(each)})` : valueText(each))).join(', ');
  return escape(value, true, 'Z');
}

/**
 * An SQL text with the values filled in by the driver's own formatter. The driver searches the whole text for
 * placeholders each time; this function remembers their positions.
 * @param values the values of the placeholders; a placeholder without a value stays
 */
export function textWithValues(sql: string, values: readonly SqlValue[]): string {
  if (values.length === 0) return sql;
  const parts = partsOf(sql);
  let text = parts[0] ?? '';
  for (let index = 1; index < parts.length; index += 1) {
    text += index > values.length ? '?' : valueText(values[index - 1] ?? null);
    text += parts[index] ?? '';
  }
  return text;
}

/** The text of a statement with its values. */
export function statementText(statement: Statement): string {
  const { parts } = statement;
  if (!parts) return textWithValues(statement.sql, statement.parameters);
  let text = '';
  for (const part of parts) text += text === '' ? statementText(part) : `;\n${statementText(part)}`;
  return text;
}
