import type { Catalogue } from '#core/kernel/deployment-catalogue.js';

/*
 * Addresses within the reference: one page for the introduction, one per product, one each for events and resources,
 * and one for each error. On a product's page, an operation's anchor is its name. Links are written with the whole
 * path, so they are the same on every page.
 */

/** The page with the introduction. */
export const referenceRoot = '/docs/reference';

/** The pages for topics that products share. Plugins cannot have these names. */
export const sharedPages = {
  events: `${referenceRoot}/events`,
  errors: '/docs/errors',
  resources: `${referenceRoot}/resources`,
};

/** The page of all settings, with one anchor for each: the name of its variable. */
export const settingsPath = '/docs/settings';

export const eventAnchor = (name: string): string => `event-${name}`;
export const errorAnchor = (code: string): string => `error-${code}`;
export const resourceAnchor = (name: string): string => `resource-${name}`;
export const chapterAnchor = (title: string): string => `about-${title.toLowerCase().replaceAll(/\W+/g, '-')}`;

export const productLink = (product: string): string => `${referenceRoot}/${product}`;
/** @param name its first part is the product */
export const operationLink = (name: string): string => `${productLink(name.split('.')[0] ?? '')}#${name}`;
export const eventLink = (name: string): string => `${sharedPages.events}#${eventAnchor(name)}`;
/** The page of an error code. */
export const errorLink = (code: string): string => `${sharedPages.errors}/${code}`;
export const resourceLink = (name: string): string => `${sharedPages.resources}#${resourceAnchor(name)}`;
export const chapterLink = (title: string): string => `${referenceRoot}#${chapterAnchor(title)}`;

/** The paths of the reference's pages in the navigation: those of single errors are not among them. */
export const referencePaths = ({ products }: Catalogue): string[] => [
  referenceRoot,
  ...[...products.keys()].map(productLink),
  ...Object.values(sharedPages),
];
