import {
  exactColumn,
  flagColumn,
  idColumn,
  intColumn,
  jsonColumn,
  nullable,
  primary,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import type { Column } from '#core/runtime/database/columns.js';
import type { RowFrom, Table } from '#core/runtime/database/table.js';

/*
 * The columns of a channel's templates: `defineTable('email_template', templateColumns)`. A template has one draft and
 * any number of published versions, which never change. Draft and versions have contents, one row per locale.
 */

/** Unique by environment and name. A deleted template keeps its row, so that its version numbers are not used again. */
export const templateColumns = {
  id: idColumn(),
  environmentId: uuidColumn(),
  name: exactColumn(100),
  description: nullable(textColumn(500)),
  /** BCP 47: the locale for recipients whose languages it does not have. */
  defaultLocale: exactColumn(35),
  hasDraft: flagColumn(),
  /** The variables of the published version, of the draft while there is none. */
  variables: jsonColumn<string[]>(),
  /** Null while nothing is published. */
  publishedId: nullable(uuidColumn()),
  publishedVersion: nullable(intColumn()),
  /** The highest version number so far, 0 before the first. */
  lastVersion: intColumn(),
  /** Versions below it were published before the template was deleted and made again. */
  firstVersion: intColumn(),
  /** Counts the changes of draft and versions. */
  revision: intColumn(),
  createdAt: timeColumn(),
  updatedAt: timeColumn(),
  deletedAt: nullable(timeColumn()),
};
export type TemplateRow = RowFrom<typeof templateColumns>;

/** Unique by template and version. */
export const templateVersionColumns = {
  id: idColumn(),
  templateId: uuidColumn(),
  environmentId: uuidColumn(),
  /** Counts from 1. */
  version: intColumn(),
  defaultLocale: exactColumn(35),
  locales: jsonColumn<string[]>(),
  variables: jsonColumn<string[]>(),
  publishedAt: timeColumn(),
  /** A key's name or a member's address. */
  publishedBy: textColumn(254),
};
export type TemplateVersionRow = RowFrom<typeof templateVersionColumns>;

/** A content: of the draft, whose owner is the template, or of a version. */
export interface TemplateContentRow<Source, Compiled> {
  ownerId: string;
  locale: string;
  source: Source;
  compiled: Compiled | null;
  /** The variables that the source uses. */
  variables: string[];
}

// A type, not an interface: defineTable takes records.
type TemplateContentColumns<Source, Compiled> = {
  ownerId: Column<string>;
  locale: Column<string>;
  source: Column<Source>;
  compiled: Column<Compiled | null>;
  variables: Column<string[]>;
};

/**
 * The columns of contents: the source that a person wrote, and the compiled form that is rendered; the latter is null
 * in drafts.
 */
export const templateContentColumns = <Source, Compiled>(): TemplateContentColumns<Source, Compiled> => ({
  ownerId: primary(uuidColumn()),
  locale: primary(exactColumn(35)),
  source: jsonColumn<Source>(),
  compiled: nullable(jsonColumn<Compiled>()),
  variables: jsonColumn<string[]>(),
});

/** The tables of one channel's templates. */
export interface TemplateTables<Source, Compiled> {
  readonly templates: Table<TemplateRow>;
  readonly versions: Table<TemplateVersionRow>;
  readonly contents: Table<TemplateContentRow<Source, Compiled>>;
}

/** Contents by locale. */
export type Locales<Content> = Readonly<Record<string, Content>>;
