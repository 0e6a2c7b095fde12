import { idTextSql } from '#core/runtime/id.js';

/* Fields of BroadcastDriver.eventFields: a marker that replaces the field's value, and SQL of its JSON text. */

interface MarkedField {
  readonly marker: string;
  readonly json: string;
}

/** A value that no field of a message can hold: control characters are refused. @param name differs for each field */
export const marker = (name: string): string => `\u0001${name}`;

/** A field of text. @param sql its value over the message `m`, which may be NULL */
export const textField = (name: string, sql: string): MarkedField => ({
  marker: marker(name),
  json: `IFNULL(JSON_QUOTE(CONVERT(${sql} USING utf8mb4)), 'null')`,
});

/** A field that holds an id. @param sql its bytes over the message `m`, which may be NULL */
export const idField = (name: string, sql: string): MarkedField => ({
  marker: marker(name),
  json: `IFNULL(CONCAT('"', ${idTextSql(sql)}, '"'), 'null')`,
});
