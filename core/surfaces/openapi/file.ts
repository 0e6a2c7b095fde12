import type { Catalogue } from '#core/kernel/deployment-catalogue.js';
import { defaultBaseUrl } from '../default-base-url.js';
import { isRecord } from '#core/runtime/json.js';
import { describeApi } from './document.js';

/** The text of openapi.json: one line per operation, component and code, for readable diffs. */
export function descriptionText(catalogue: Catalogue): string {
  const { openapi, ...rest } = describeApi(catalogue, defaultBaseUrl);
  const note = 'Written by `npm run generate` from the operations. Do not edit it.';
  return `${spread({ openapi, 'x-generated': note, ...rest }, '', 3)}\n`;
}

function spread(value: unknown, indent: string, levels: number): string {
  if (levels === 0 || !isRecord(value) || Object.keys(value).length === 0) return JSON.stringify(value);
  const inner = `${indent}  `;
  const lines = Object.entries(value).map(
    ([name, each]) => `${inner}${JSON.stringify(name)}: ${spread(each, inner, levels - 1)}`,
  );
  return `{\n${lines.join(',\n')}\n${indent}}`;
}
