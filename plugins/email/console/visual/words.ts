/* Liquid in words, and words as Liquid. */

const inside = (source: string): string => source.replace(/^\{[{%]-?\s*|\s*-?[%}]\}$/g, '');

const names: Readonly<Record<string, string>> = {
  'contact.email': 'Email address',
  'contact.firstName': 'First name',
  'contact.lastName': 'Last name',
  'contact.phone': 'Phone number',
  'contact.locale': 'Language',
  'contact.timeZone': 'Time zone',
  preferencesUrl: 'Address of the preferences page',
  legalAddress: 'Postal address',
};

/** What people call a variable. */
export const nameWords = (name: string): string => names[name] ?? name.replace(/^contact\.(?:properties\.)?/, '');

/** `{{ contact.firstName | default: "friend" }}` as “First name, or “friend””. */
export function chipWords(source: string): string {
  const parts = chipParts(source);
  if (!parts) return inside(source);
  return nameWords(parts.name) + (parts.fallback === '' ? '' : `, or “${parts.fallback}”`);
}

/** The names of a variable and of the words that stand for it without a value. */
export function chipParts(source: string): { name: string; fallback: string } | undefined {
  const [, name, fallback] = /^([\w.]+)(?:\s*\|\s*default:\s*["']([^"']*)["'])?$/.exec(inside(source)) ?? [];
  return name === undefined ? undefined : { name, fallback: fallback ?? '' };
}

/** What can be in quotes of a tag. */
const quotable = (text: string): string => text.replace(/"|[%}]\}/g, '');

export const chipSource = (name: string, fallback: string): string =>
  fallback === '' ? `{{ ${name} }}` : `{{ ${name} | default: "${quotable(fallback)}" }}`;

export const relations = ['has a value', 'has no value', 'is', 'is not', 'contains'] as const;
export type Relation = (typeof relations)[number];

export interface Condition {
  readonly name: string;
  readonly relation: Relation;
  readonly value: string;
}

const relationOf: Readonly<Record<string, Relation>> = { '==': 'is', '!=': 'is not', contains: 'contains' };

/** What a simple `if` asks for; undefined for what needs Liquid. */
export function conditionOf(source: string): Condition | undefined {
  const [, tag, name = '', sign, quoted, bare] =
    /^(if|unless)\s+([\w.]+)(?:\s*(==|!=|contains)\s*(?:["']([^"']*)["']|([\w.-]+)))?$/.exec(inside(source)) ?? [];
  if (tag === undefined) return undefined;
  if (sign === undefined) return { name, relation: tag === 'unless' ? 'has no value' : 'has a value', value: '' };
  const relation = relationOf[sign];
  if (tag === 'unless' || relation === undefined) return undefined;
  return { name, relation, value: quoted ?? bare ?? '' };
}

/** A condition as the tag that begins its frame. */
export function conditionSource({ name, relation, value }: Condition): string {
  if (relation === 'has a value') return `{% if ${name} %}`;
  if (relation === 'has no value') return `{% unless ${name} %}`;
  const sign = relation === 'is' ? '==' : relation === 'is not' ? '!=' : 'contains';
  const isPlain = /^(?:-?\d+(?:\.\d+)?|true|false)$/.test(value);
  return `{% if ${name} ${sign} ${isPlain ? value : `"${quotable(value)}"`} %}`;
}

/** The head of a frame in words. */
export function frameWords(source: string): string {
  const text = inside(source);
  if (text === 'else') return 'Otherwise';
  if (/^end\w+$/.test(text)) return 'End';
  const [, each, list] = /^for\s+(\w+)\s+in\s+(.+)$/s.exec(text) ?? [];
  if (each !== undefined) return `For each ${each} of ${list ?? ''}`;
  const condition = conditionOf(source);
  const start = text.startsWith('elsif') ? 'Otherwise, only' : 'Only';
  if (!condition)
    return `${start} if ${text.replace(/^(?:els)?if\s+|^unless\s+/, (tag) => (tag.startsWith('unless') ? 'not ' : ''))}`;
  const { name, relation, value } = condition;
  const where = `${nameWords(name)} ${relation}`;
  return `${start} to contacts where ${relation === 'has a value' || relation === 'has no value' ? where : `${where} ${value}`}`;
}

/** A Liquid tag or another thing within a text. */
export function rawWords(source: string): string {
  if (/^\{%-?\s*(?:if|elsif|else|unless|for|end\w+)\b/.test(source)) return frameWords(source).toLowerCase();
  if (/^<img\b/i.test(source)) return 'picture';
  return source.length > 40 ? `${source.slice(0, 40)}…` : source;
}
