/*
 * What the command line knows of the operations: small enough to be read at every start, and made of the registry alone (describe.ts
 * writes catalogue.gen.ts). The commands, their flags, help and completion are all functions of it.
 */

/** One input field, as flags show and read it. */
export interface CliField {
  readonly type: 'text' | 'integer' | 'number' | 'boolean' | 'list' | 'object' | 'map' | 'any';
  readonly words?: string;
  readonly format?: string;
  readonly choices?: readonly string[];
  readonly required?: true;
  readonly nullable?: true;
  readonly fallback?: unknown;
  /** What a list or a map holds. */
  readonly items?: CliField;
  /** A list that may also be sent as its one item. */
  readonly orOne?: true;
  readonly fields?: CliFields;
}

export type CliFields = Readonly<Record<string, CliField>>;

export interface CliOperation {
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: string;
  readonly read?: true;
  readonly destructive?: true;
  readonly retrySafe?: true;
  readonly input: CliFields;
  readonly example: Readonly<Record<string, unknown>>;
  /** The reply's list and the columns of it that are worth showing. */
  readonly list?: { readonly field: string; readonly columns: readonly string[] };
  /** The reply has nextBefore: there may be further pages. */
  readonly pages?: true;
}

export interface CliCatalogue {
  readonly products: Readonly<Record<string, string>>;
  readonly operations: readonly CliOperation[];
}

/** A command's words: `email.broadcast.pauseAll` is `email broadcast pause-all`. */
export const wordsOf = (name: string): string[] => name.split('.').map(kebab);

/** `broadcastId` as flags and commands write it: `broadcast-id`. */
export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Flags that every command has, or that mean the same on every command; a field of such a name is set with `--input.<field>`. */
export const ownFlags: readonly string[] = [
  'all',
  'base-url',
  'help',
  'idempotency-key',
  'input',
  'json',
  'profile',
  'verbose',
  'version',
  'yes',
];

/** A field's own flag; undefined where the command line means something else by that name. */
export function flagOf(field: string): string | undefined {
  const flag = kebab(field);
  // Commander reads `--no-x` as the opposite of `--x`.
  return ownFlags.includes(flag) || flag.startsWith('no-') ? undefined : flag;
}
