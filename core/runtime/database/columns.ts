import type { EntitySchemaColumnOptions } from 'typeorm';
import { idBytes, idText } from '../id.js';
import {
  bigintLiteral,
  bytesLiteral,
  idLiteral,
  numberLiteral,
  textLiteral,
  timeLiteral,
  type Literal,
} from './literal.js';

/*
 * The kinds of columns, each defined once. A column defines how its value is stored, written into SQL text and read
 * back. Defaults are only in migrations: with a declared default, TypeORM reads every inserted row back.
 */

/**
 * A column whose value in the code is a `T`: TypeORM's options for it, and how plain SQL writes and reads the value.
 */
export interface Column<T> extends EntitySchemaColumnOptions {
  /** The value as SQL text, for multi-row INSERTs. */
  readonly literal: (value: T) => Literal;
  /** The value from the driver's result. */
  readonly decode: (stored: unknown) => T;
}

type Options = EntitySchemaColumnOptions;

/** The type that `decode` of a column returns is fixed by its SQL type, which the compiler cannot see. */
function column<T>(
  options: Options,
  literal: (value: NoInfer<T>) => Literal,
  decode?: (stored: unknown) => unknown,
): Column<T>;
function column(
  options: Options,
  literal: (value: never) => Literal,
  decode: (stored: unknown) => unknown = (stored) => stored,
): unknown {
  return { ...options, literal, decode };
}

/** The same column, which may be NULL. */
export function nullable<T>(of: Column<T>): Column<T | null> {
  return {
    ...of,
    nullable: true,
    literal: (value) => (value === null ? numberLiteral(null) : of.literal(value)),
    decode: (stored) => (stored === null ? null : of.decode(stored)),
  };
}

/** The same column, as (a part of) the primary key. */
export const primary = <T>(of: Column<T>): Column<T> => ({ ...of, primary: true });

const decodeId = (stored: unknown): unknown => (Buffer.isBuffer(stored) ? idText(stored) : stored);
const decodeExact = (stored: unknown): unknown => (Buffer.isBuffer(stored) ? stored.toString('utf8') : stored);
const decodeFlag = (stored: unknown): unknown => (typeof stored === 'number' ? stored === 1 : stored);
// MariaDB answers JSON parsed or as text, by version and statement; MySQL answers it parsed.
const decodeJson = (stored: unknown): unknown => (typeof stored === 'string' ? JSON.parse(stored) : stored);

// The driver answers numbers within 2^53 as numbers, others as text.
const decodeInt64 = (stored: unknown): unknown =>
  typeof stored === 'string' || typeof stored === 'number' ? BigInt(stored) : stored;

const idTransformer = {
  to: (value: unknown): unknown => (typeof value === 'string' ? idBytes(value) : value),
  from: decodeId,
};
const exactTransformer = {
  to: (value: unknown): unknown => (typeof value === 'string' ? Buffer.from(value, 'utf8') : value),
  from: decodeExact,
};
const flagTransformer = {
  to: (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value),
  from: decodeFlag,
};

/** Another row's id: a UUIDv7 in BINARY(16). */
export const uuidColumn = (): Column<string> =>
  column({ type: 'binary', length: 16, transformer: idTransformer }, idLiteral, decodeId);

/** The row's own id. */
export const idColumn = (): Column<string> => primary(uuidColumn());

/** Text for people, compared by the table's collation. */
export const textColumn = (length: number): Column<string> => column({ type: 'varchar', length }, textLiteral);

/** Text for people of up to 65,535 bytes. */
export const bodyTextColumn = (): Column<string> => column({ type: 'text' }, textLiteral);

/** Text of up to 16 MiB. */
export const longTextColumn = (): Column<string> => column({ type: 'mediumtext' }, textLiteral);

/** Text that must match byte for byte: default collations merge `A` and `a`, `é` and `e`, and trailing spaces. */
export const exactColumn = (length: number): Column<string> =>
  column({ type: 'varbinary', length, transformer: exactTransformer }, textLiteral, decodeExact);

/** One of a few words, such as a status. */
export const choiceColumn = <const T extends string>(_words: readonly T[], length: number): Column<T> =>
  column({ type: 'varbinary', length, transformer: exactTransformer }, textLiteral, decodeExact);

/** Bytes of at most `length`, such as a sealed secret. */
export const bytesColumn = (length: number): Column<Buffer> => column({ type: 'varbinary', length }, bytesLiteral);

/** Bytes of exactly `length`. */
export const fixedBytesColumn = (length: number): Column<Buffer> => column({ type: 'binary', length }, bytesLiteral);

/** A SHA-256 digest. */
export const digestColumn = (): Column<Buffer> => fixedBytesColumn(32);

/** Bytes of up to 16 MiB. */
export const blobColumn = (): Column<Buffer> => column({ type: 'mediumblob' }, bytesLiteral);

/** A time, in UTC with milliseconds. */
export const timeColumn = (): Column<Date> => column({ type: 'datetime', precision: 3 }, timeLiteral);

export const jsonColumn = <T>(): Column<T> =>
  column({ type: 'json' }, (value: T) => textLiteral(JSON.stringify(value)), decodeJson);

export const intColumn = (): Column<number> => column({ type: 'int' }, numberLiteral);
/** A whole number of up to 2^53, which drivers answer as text. */
export const bigintColumn = (): Column<number> =>
  column(
    { type: 'bigint', transformer: { to: (value: unknown): unknown => value, from: Number } },
    numberLiteral,
    Number,
  );
/** A signed 64-bit whole number, such as an amount of money in micro-units. */
export const int64Column = (): Column<bigint> =>
  column(
    { type: 'bigint', transformer: { to: (value: unknown): unknown => value, from: decodeInt64 } },
    bigintLiteral,
    decodeInt64,
  );
export const smallintColumn = (): Column<number> => column({ type: 'smallint' }, numberLiteral);
export const tinyintColumn = (): Column<number> => column({ type: 'tinyint' }, numberLiteral);

export const flagColumn = (): Column<boolean> =>
  column({ type: 'tinyint', transformer: flagTransformer }, (value) => numberLiteral(Number(value)), decodeFlag);
