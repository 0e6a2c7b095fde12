import { parser } from '@prometheus-io/lezer-promql';

interface Matcher {
  readonly label: string;
  readonly operator: string;
  readonly value: string;
}

/** A metric that a query reads, and the series of it that it wants. */
export interface Selector {
  readonly metric: string;
  readonly matchers: readonly Matcher[];
}

interface Query {
  readonly selectors: readonly Selector[];
  /** The labels of `by (…)`, `on (…)` and their like. */
  readonly grouping: readonly string[];
}

/** Reads a PromQL expression with Prometheus’s own grammar. @throws Error if it is not valid */
export function readQuery(text: string): Query {
  const selectors: { metric: string; matchers: Matcher[] }[] = [];
  const grouping: string[] = [];
  parser.parse(text).iterate({
    enter({ name, type, from, to }) {
      if (type.isError) throw new Error(`Not PromQL at ${from}: ${text}`);
      const part = text.slice(from, to);
      if (name === 'VectorSelector') selectors.push({ metric: '', matchers: [] });
      const selector = selectors.at(-1);
      if (name === 'Identifier' && selector?.metric === '') selector.metric = part;
      if (name === 'UnquotedLabelMatcher') {
        const [, label = '', operator = '', value = ''] = /^(\w+)\s*(=~|!~|!=|=)\s*"(.*)"$/s.exec(part) ?? [];
        selector?.matchers.push({ label, operator, value });
      }
      if (name === 'GroupingLabels')
        grouping.push(
          ...part
            .replaceAll(/[()\s]/g, '')
            .split(',')
            .filter(Boolean),
        );
    },
  });
  return { selectors, grouping };
}

/** A series of GET /metrics. */
export interface Series {
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Reads the text of GET /metrics. */
export const readSeries = (text: string): Series[] =>
  [...text.matchAll(/^([a-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/gim)].map(([, metric = '', labels = '', value]) => ({
    metric,
    labels: Object.fromEntries(
      [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', content = '']) => [name, content]),
    ),
    value: Number(value),
  }));
