import type { EntitySchemaColumnOptions } from 'typeorm';
import { idBytes, idText } from '../id.js';

/*
 * The column kinds of the house, each once (house.md, Storage). Defaults live in migrations alone: a declared default makes
 * every TypeORM insert read its row back.
 */

type Column = EntitySchemaColumnOptions;
interface Maybe {
  nullable?: boolean;
}

const nullable = ({ nullable: allowed }: Maybe): { nullable: boolean } => ({ nullable: allowed === true });

const binaryUuid = {
  to: (value: unknown): unknown => (typeof value === 'string' ? idBytes(value) : value),
  from: (value: unknown): unknown => (Buffer.isBuffer(value) ? idText(value) : value),
};

const exactText = {
  to: (value: unknown): unknown => (typeof value === 'string' ? Buffer.from(value, 'utf8') : value),
  from: (value: unknown): unknown => (Buffer.isBuffer(value) ? value.toString('utf8') : value),
};

const flag = {
  to: (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value),
  from: (value: unknown): unknown => (typeof value === 'number' ? value === 1 : value),
};

/** The row's own id: a UUIDv7 in BINARY(16). */
export const idColumn = (): Column => ({ type: 'binary', length: 16, primary: true, transformer: binaryUuid });
/** Another row's id. */
export const uuidColumn = (options: Maybe = {}): Column => ({
  type: 'binary',
  length: 16,
  transformer: binaryUuid,
  ...nullable(options),
});
/** Words for people: compared as MySQL compares them. */
export const textColumn = (length: number, options: Maybe = {}): Column => ({
  type: 'varchar',
  length,
  ...nullable(options),
});
/** Words that must match byte for byte: default collations merge `A` and `a`, `é` and `e`, and trailing blanks. */
export const exactColumn = (length: number, options: Maybe & { primary?: boolean } = {}): Column => ({
  type: 'varbinary',
  length,
  transformer: exactText,
  primary: options.primary === true,
  ...nullable(options),
});
/** Raw bytes of at most `length`: digests and sealed secrets. */
export const bytesColumn = (length: number, options: Maybe = {}): Column => ({
  type: 'varbinary',
  length,
  ...nullable(options),
});
/** A digest of fixed length. */
export const digestColumn = (options: Maybe & { primary?: boolean } = {}): Column => ({
  type: 'binary',
  length: 32,
  primary: options.primary === true,
  ...nullable(options),
});
/** A moment, in UTC with milliseconds. */
export const timeColumn = (options: Maybe = {}): Column => ({ type: 'datetime', precision: 3, ...nullable(options) });
export const jsonColumn = (options: Maybe = {}): Column => ({ type: 'json', ...nullable(options) });
export const longTextColumn = (options: Maybe = {}): Column => ({ type: 'mediumtext', ...nullable(options) });
export const intColumn = (options: Maybe = {}): Column => ({ type: 'int', ...nullable(options) });
export const flagColumn = (options: Maybe = {}): Column => ({
  type: 'tinyint',
  transformer: flag,
  ...nullable(options),
});
