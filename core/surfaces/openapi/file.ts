import type { Catalogue } from '#core/kernel/catalogue.js';
import { defaultBaseUrl } from '#core/surfaces/default-base-url.js';
import { isRecord } from '#core/runtime/json.js';
import { describeApi } from './document.js';

/** The text of openapi.gen.json: one line per operation, component and code, for readable diffs. */
export const descriptionText = (catalogue: Catalogue): string =>
  `${spread(describeApi(catalogue, defaultBaseUrl), '', 3)}\n`;

function spread(value: unknown, indent: string, levels: number): string {
  if (levels === 0 || !isRecord(value) || Object.keys(value).length === 0) return JSON.stringify(value);
  const inner = `${indent}  `;
  const lines = Object.entries(value).map(
    ([name, each]) => `${inner}${JSON.stringify(name)}: ${spread(each, inner, levels - 1)}`,
  );
  return `{\n${lines.join(',\n')}\n${indent}}`;
}
