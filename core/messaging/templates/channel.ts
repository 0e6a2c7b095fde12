import type { TenantCaller } from '#core/kernel/caller/caller.js';
import type { ReadContext } from '#core/kernel/context.js';
import type { Deployment } from '#core/kernel/deployment.js';
import type { Schema } from '#core/kernel/schema/schema.js';
import type { SystemTemplate } from '../system-template.js';
import type { References } from '../references.js';
import type { RenderPart } from './render-thread.js';
import type { TemplateValue } from './resource.js';
import type { Locales, TemplateTables } from './tables.js';

/*
 * Templates, shared by all channels: a channel declares the form of its contents as one `ChannelTemplates`. This folder
 * owns no tables.
 *
 *   tables.ts     the tables: a template, its draft, its published versions, contents by locale
 *   check.ts      syntax and variables of contents
 *   draft.ts      save a draft
 *   publish.ts    make a version of a draft
 *   show.ts       a template as replies show it
 *   published.ts  find and load published versions
 *   locale.ts     choose a locale
 *   list.ts       list templates, the built-in ones of system messages among them
 *   render-pool.ts, liquid.ts   render
 *
 * The operations are in ../operations/template.
 */

/** One text of a content. */
export interface ContentPart extends RenderPart {
  /** As errors name it: `subject`, `html`, `body`. */
  readonly part: string;
}

/**
 * The templates of a channel. `Given` is the text of one locale as a caller sends it, `Source` as it is stored and
 * shown; messages are rendered from `Compiled`.
 */
export interface ChannelTemplates<Source = unknown, Compiled = unknown, Given = unknown> {
  readonly name: SystemTemplate['channel'];
  readonly tables: TemplateTables<Source, Compiled>;
  /** What people read as the name of a template's contents: “the built-in text”. */
  readonly noun: 'content' | 'text';
  readonly input: Schema<Given>;
  /** Contents by locale in replies. */
  readonly contents: Schema<Record<string, Source>>;
  readonly example: { readonly template: TemplateValue; readonly given: Given; readonly source: Source };
  /** Open things that refer to templates of the channel. */
  readonly references: References<'template'>;
  /** A content as it is stored. @param field its path in the request @throws invalid_input naming the field */
  read(given: Given, field: string): Source;
  /** The built-in texts of a system template, as sources by locale. */
  builtIn(deployment: Pick<Deployment, 'systemTemplates'>, name: string): Readonly<Record<string, Source>> | null;
  /** The texts of a content. */
  partsOf(source: Source): readonly ContentPart[];
  /** Whether a part is one of the texts that must use the required variables of a system template. */
  isBody(part: string): boolean;
  /**
   * Checks the draft that is published, and makes what messages are rendered from.
   * @param system the system template that the draft overrides, which `requireOverride` (check.ts) protects
   * @throws template_invalid, template_missing_required, rate_limited
   */
  compile(
    context: Pick<ReadContext, 'use'> & { readonly caller: TenantCaller },
    sources: Locales<Source>,
    system: SystemTemplate | undefined,
  ): Promise<Locales<Compiled>>;
}
