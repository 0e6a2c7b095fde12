import { counted } from '#config/counted.js';
import { existsSync, readFileSync } from 'node:fs';
import { createRegistry } from '#core/kernel/registry/registry.js';
import type { Plugin } from '#core/kernel/plugin.js';

/** Takes `--products <names>` out of the arguments of `npm test`. @throws Error if no name follows */
export function takeProducts(all: readonly string[]): { products: readonly string[] | undefined; rest: string[] } {
  const at = all.indexOf('--products');
  if (at === -1) return { products: undefined, rest: [...all] };
  const given = all[at + 1] ?? '';
  const products = given.split(',').filter((name) => name !== '');
  if (products.length === 0 || given.startsWith('-'))
    throw new Error('--products wants names of products, separated by commas: --products email,sms.');
  return { products, rest: all.toSpliced(at, 2) };
}

/**
 * Products as a deployment enables them: including the products that are always on, and the providers of each port that
 * they need and have no stand-in for.
 * @throws RegistryError if a name is not a product
 */
export function withNeeds(known: readonly Plugin[], names: readonly string[]): string[] {
  const providerOf = (port: string): string[] =>
    known.filter(({ provides = [] }) => provides.some((each) => each.port.name === port)).map(({ name }) => name);
  const needed = (plugin: Plugin): string[] =>
    (plugin.needs ?? []).filter((each) => !each.standIn).flatMap((each) => providerOf(each.port.name));
  const wanted = new Set(names);
  for (const name of wanted)
    for (const plugin of known.filter((each) => each.alwaysOn === true || each.name === name))
      for (const found of [plugin.name, ...needed(plugin)]) wanted.add(found);
  return [...createRegistry(known, [...wanted]).products.keys()];
}

/**
 * What a run did not test because products were not enabled.
 * @param path where test/support/products.ts noted the skipped suites and cases; missing if there were none
 * @returns lines such as `Skipped 12 suites and 3 cases in 10 files: they need audience.`
 */
export function skippedLines(path: string): string[] {
  const notes = readNotes(path);
  const reasons = [...new Set(notes.map(({ missing }) => missing))].sort();
  return reasons.map((reason) => {
    const mine = notes.filter(({ missing }) => missing === reason);
    const parts = (['suite', 'case'] as const)
      .map((noun) => ({ noun, number: mine.filter(({ what }) => what === noun).length }))
      .filter(({ number }) => number > 0)
      .map(({ noun, number }) => counted(number, noun));
    const files = counted(new Set(mine.map(({ file }) => file)).size, 'file');
    return `Skipped ${parts.join(' and ')} in ${files}: ${mine.length === 1 ? 'it needs' : 'they need'} ${reason}.`;
  });
}

/** The lines of that file. */
function readNotes(path: string): { what: string; file: string; missing: string }[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => {
    const note: unknown = JSON.parse(line);
    const text = (name: string): string => {
      const value: unknown = typeof note === 'object' && note !== null ? Reflect.get(note, name) : undefined;
      return typeof value === 'string' ? value : '';
    };
    return { what: text('what'), file: text('file'), missing: text('missing') };
  });
}
