/*
 * Where each thing stands on the page. An operation's anchor is its name; names without a dot, or with a hyphen before it, are no
 * operation's, and an event may be called like an operation (developers.webhook.test).
 */

export const productAnchor = (name: string): string => `product-${name}`;
export const eventAnchor = (name: string): string => `event-${name}`;
export const errorAnchor = (code: string): string => `error-${code}`;
export const resourceAnchor = (name: string): string => `resource-${name}`;
