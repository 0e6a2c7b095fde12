/*
 * Anchors on the page. An operation's anchor is its name. The others have a prefix, since an event can have an operation's name.
 */

export const productAnchor = (name: string): string => `product-${name}`;
export const eventAnchor = (name: string): string => `event-${name}`;
export const errorAnchor = (code: string): string => `error-${code}`;
export const resourceAnchor = (name: string): string => `resource-${name}`;
