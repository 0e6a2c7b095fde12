/*
 * The kit of the console: what a product's screens (plugins/<product>/console) are made of. They import this file, the
 * SDK's types and nothing else of svc.
 */
export * from './action.js';
export type { InputOf, ResultOf } from '../../sdk/client.js';
export * from './address.js';
export { contrast, isColour, textContrast } from '../../pages/colour.js';
export { themeRules } from '../../pages/styles.js';
export { escapeHtml, textPairs, webAddress, type PageTheme } from '../../pages/theme.js';
export { isSvcError } from '../../sdk/errors.js';
export * from './blocked.js';
export { call, type MadeCall } from './client.js';
export * from './changed.js';
export * from './code-editor.js';
export type { CodeName, CodeProblem } from './code-mirror.js';
export * from './dialog.js';
export * from './download.js';
export * from './draft.js';
export * from './drawer.js';
export * from './edits.js';
export * from './email-preview.js';
export * from './events-of.js';
export * from './field.js';
export * from './form.js';
export * from './history.js';
export * from './icon.js';
export * from './labelled.js';
export * from './later.js';
export * from './merge.js';
export * from './list.js';
export * from './operation-button.js';
export * from './page.js';
export * from './page-preview.js';
export * from './progress.js';
export * from './property-input.js';
export * from './property-value.js';
export * from './prose.js';
export * from './read.js';
export * from './refusal.js';
export * from './screen.js';
export * from './secret.js';
export * from './state.js';
export * from './status.js';
export * from './tabs.js';
export * from './time.js';
export * from './toast.js';
export * from './value.js';
export * from './words.js';
