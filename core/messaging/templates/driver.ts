import type { Deployment } from '#core/kernel/deployment.js';
import type { SystemTemplate } from '../system-template.js';
import type { RenderPart } from './render-thread.js';
import type { TemplateTables } from './tables.js';

/*
 * Templates, shared by all channels: a channel passes its tables and the form of its contents. This folder owns no
 * tables.
 *
 *   tables.ts     the columns: a template, its draft, its published versions, contents by locale
 *   check.ts      syntax and variables of contents
 *   draft.ts      save a draft
 *   publish.ts    make a version of a draft
 *   published.ts  find and load published versions
 *   locale.ts     choose a locale
 *   list.ts       list templates, the built-in ones of system messages among them
 *   render-pool.ts, liquid.ts   render
 */

/** One text of a content. */
export interface ContentPart extends RenderPart {
  /** As errors name it: `subject`, `html`, `body`. */
  readonly part: string;
}

/**
 * How a channel keeps its templates. `Source` is the text that a person writes in one locale; messages are rendered
 * from `Compiled`.
 */
export interface TemplateDriver<Source, Compiled> {
  readonly name: SystemTemplate['channel'];
  readonly tables: TemplateTables<Source, Compiled>;
  /** The built-in texts of a system template, as sources by locale. */
  builtIn(deployment: Pick<Deployment, 'systemTemplates'>, name: string): Readonly<Record<string, Source>> | null;
  /** The texts of a content. */
  partsOf(source: Source): readonly ContentPart[];
}
