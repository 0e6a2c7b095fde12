/*
 * Paths with parameters: `/auth/{environmentId}/signin`. A parameter is one whole segment. If several templates match a
 * path, the one with a fixed segment at the first position in which they differ wins.
 */

type Segment = { fixed: string } | { parameter: string };

const segmentsOf = (template: string): Segment[] =>
  template
    .split('/')
    .slice(1)
    .map((part) => {
      const parameter = /^\{(\w+)\}$/.exec(part)?.[1];
      return parameter === undefined ? { fixed: part } : { parameter };
    });

/** Two templates of one shape match the same paths: `/a/{b}` and `/a/{c}`. */
export const shapeOf = (template: string): string => template.replaceAll(/\{\w+\}/g, '{}');

/** What is wrong with a template; undefined if it is valid. */
export function templateProblem(template: string): string | undefined {
  if (!template.startsWith('/') || template.endsWith('/')) return 'must begin with a slash, and not end with one';
  const segments = segmentsOf(template);
  if (segments.some((each) => 'fixed' in each && !/^[\w.~-]+$/.test(each.fixed)))
    return 'may hold letters, digits, "-", "_", "." and "~", and whole segments that are a {parameter}';
  const names = segments.flatMap((each) => ('parameter' in each ? [each.parameter] : []));
  return new Set(names).size < names.length ? 'names one parameter twice' : undefined;
}

export interface Match<T> {
  value: T;
  params: Readonly<Record<string, string>>;
}

/** Finds the value whose template matches a path. A path without parameters costs one lookup in a map. */
export function createPathTable<T>(entries: readonly (readonly [template: string, value: T])[]): {
  fixed: (path: string) => T | undefined;
  templated: (path: string) => Match<T> | undefined;
} {
  const fixed = new Map(entries.filter(([template]) => !template.includes('{')));
  const templates = entries
    .filter(([template]) => template.includes('{'))
    .map(([template, value]) => ({ segments: segmentsOf(template), value }))
    .toSorted((a, b) => rankOf(a.segments).localeCompare(rankOf(b.segments)));
  return {
    fixed: (path) => fixed.get(path),
    templated(path) {
      if (templates.length === 0) return undefined;
      const parts = path.split('/').slice(1);
      for (const { segments, value } of templates) {
        const params = paramsOf(segments, parts);
        if (params) return { value, params };
      }
      return undefined;
    },
  };
}

const rankOf = (segments: readonly Segment[]): string => segments.map((each) => ('fixed' in each ? 0 : 1)).join('');

function paramsOf(segments: readonly Segment[], parts: readonly string[]): Record<string, string> | undefined {
  if (segments.length !== parts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const part = parts[index] ?? '';
    if ('fixed' in segment) {
      if (segment.fixed !== part) return undefined;
    } else {
      const value = decoded(part);
      if (value === undefined || value === '') return undefined;
      params[segment.parameter] = value;
    }
  }
  return params;
}

/** Undefined for a segment that is not valid percent-encoding. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
