import type { Template } from 'liquidjs';
import { countTags, parseSource, type Escaping, type Parse } from './liquid.js';

/**
 * The maximum cost of all cached templates, and the cost of each tag in addition to its characters (about 1 KiB of
 * memory).
 */
const budget = 8_000_000;
const tagCost = 1_000;

interface Entry {
  templates: Template[];
  cost: number;
}

/**
 * Parses sources and remembers the most recently used ones, by their text: a version of a template is parsed once per
 * thread, no matter how many messages are rendered from it.
 */
export function createParseCache(): Parse {
  const entries = new Map<string, Entry>();
  let used = 0;

  const drop = (key: string): void => {
    used -= entries.get(key)?.cost ?? 0;
    entries.delete(key);
  };

  return (source: string, escaping: Escaping) => {
    const key = `${escaping} ${source}`;
    const known = entries.get(key);
    if (known) {
      entries.delete(key);
      entries.set(key, known);
      return known.templates;
    }
    const templates = parseSource(source, escaping);
    const cost = source.length + tagCost * countTags(source);
    if (cost > budget / 4) return templates;
    entries.set(key, { templates, cost });
    used += cost;
    for (const oldest of entries.keys()) {
      if (used <= budget) break;
      drop(oldest);
    }
    return templates;
  };
}
