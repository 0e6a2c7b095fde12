/*
 * What the command line knows about the operations. Commands, flags, help and completion are derived from it.
 * describe.ts generates command-catalogue.gen.ts from the registry; it is read at every start, so it is kept small.
 */

import type { FollowUp, JoinedLists, NamedItems, Progress } from '#core/kernel/operation-hints.js';
import { at } from '#core/runtime/json.js';
import { kebab } from '../names.js';

/** One input field, with what its flag's help and parsing need. */
export interface CliField {
  readonly type: 'text' | 'integer' | 'number' | 'boolean' | 'list' | 'object' | 'map' | 'any';
  readonly description?: string;
  readonly format?: string;
  readonly choices?: readonly string[];
  readonly required?: true;
  readonly nullable?: true;
  readonly default?: unknown;
  /** The elements of a list, or the values of a map. */
  readonly items?: CliField;
  /** A list that may also be sent as a single item. */
  readonly orOne?: true;
  readonly fields?: CliFields;
}

export type CliFields = Readonly<Record<string, CliField>>;

/** The columns that a table shows, fields or paths such as `counts.sent`, and the fields that it does not show. */
export interface CliTable {
  readonly columns: readonly string[];
  readonly others?: readonly string[];
}

export interface CliOperation {
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: string;
  /** The other product without which a server does not have it. */
  readonly requires?: string;
  readonly read?: true;
  readonly destructive?: true;
  readonly retrySafe?: true;
  readonly input: CliFields;
  readonly example: Readonly<Record<string, unknown>>;
  /** The reply's list field and its table. */
  readonly list?: CliTable & { readonly field: string };
  /** The tables of other lists in the reply, by their field. */
  readonly tables?: Readonly<Record<string, CliTable>>;
  /** The reply has nextBefore: the list is paginated. */
  readonly pages?: true;
  readonly followUp?: FollowUp;
  readonly progress?: Progress;
  readonly joined?: JoinedLists;
  readonly namedItems?: NamedItems;
}

export interface CliCatalogue {
  /** The purpose of each product and each group of operations: `email`, `email.message`. */
  readonly groups: Readonly<Record<string, string>>;
  readonly operations: readonly CliOperation[];
}

/**
 * The field that may be given without its flag: the only required one, if it is a text, or the id of something that the
 * operation finds by any name.
 */
export function operandOf({ input, namedItems }: CliOperation): string | undefined {
  const [only, another] = Object.entries(input).filter(([name, { required }]) => required && name !== 'accessToken');
  if (!only) return namedItems && namedItems.id in input ? namedItems.id : undefined;
  return only[1].type === 'text' && !another ? only[0] : undefined;
}

/** An operation that finds something by its name. */
export type Finder = CliOperation & { readonly namedItems: NamedItems };

/** For a field that takes an id, the operation that finds the thing by its name. */
export const finderOf = (field: string, { operations }: CliCatalogue): Finder | undefined =>
  operations.find((each): each is Finder => each.namedItems?.id === field);

const alternatives = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** The names by which something is found, for people. @param article `its`: its id, its email or its external id */
export const namesOf = ({ names }: NamedItems, article: string): string =>
  alternatives.format(['id', ...names].map((name) => `${article} ${kebab(name).replaceAll('-', ' ')}`));

/** Whether the operation takes files as `attachments`, so that it has the flag --attach. */
export const takesFiles = ({ input }: CliOperation): boolean => {
  const fields = input['attachments']?.items?.fields ?? {};
  return ['filename', 'contentType', 'content'].every((name) => name in fields);
};

/** Whether the operation takes pictures, so that it has the flag --image. */
export const takesImages = ({ input }: CliOperation): boolean => {
  const fields = input['images']?.items?.fields ?? {};
  return ['name', 'content'].every((name) => name in fields);
};

/** Whether the operation shows one thing, so that it has the flag --watch. */
export const isWatchable = ({ name, read }: CliOperation): boolean => read === true && name.endsWith('.get');

/** The operation that shows the outcome of a call. */
export const followUpOf = ({ followUp }: CliOperation, { operations }: CliCatalogue): CliOperation | undefined =>
  followUp && operations.find(({ name }) => name === followUp.operation);

/**
 * The input of a follow-up call, from a reply. @param paths of each field's value in the reply, as FollowUp has them
 */
export const inputFrom = (
  result: Readonly<Record<string, unknown>>,
  paths: FollowUp['input'],
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(paths).map(([field, path]) => [field, at(result, ...path.split('.'))]));
