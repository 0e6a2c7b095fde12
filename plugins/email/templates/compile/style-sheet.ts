/*
 * Style sheets as their statements. Style sheets for mail programs are often not quite CSS, so each statement keeps its
 * original text, and nothing is lost because it was not understood.
 */

/** A part of a style sheet (CSS Syntax Module Level 3, section 5.4.1). */
export interface Statement {
  /** As written. */
  readonly text: string;
  /** Null for at-rules, for rules with others nested in them, for comments, and for text that cannot be parsed. */
  readonly rule: StyleRule | null;
}

interface StyleRule {
  /** The part before the block: selectors, without comments. */
  readonly prelude: string;
  readonly declarations: readonly Declaration[];
}

export interface Declaration {
  /** In lower case; empty if it is not a declaration. */
  readonly name: string;
  readonly value: string;
  readonly isImportant: boolean;
}

/**
 * Comments, strings, escaped characters, unquoted addresses and remains of old HTML comments; punctuation; and
 * everything else.
 */
const token =
  /\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|\\[\s\S]|<!--|-->|url\(\s*(?!["'\s])(?:[^)\\]|\\[\s\S])*\)?|[{};()]|[^"'\\{};()/<u-]+|[\s\S]/gi;

const isComment = (text: string): boolean => text.startsWith('/*') || text === '<!--' || text === '-->';

/** The statements of a style sheet and the comments between them, in their order. */
export function statementsOf(css: string): Statement[] {
  const found: Statement[] = [];
  let text = '';
  let prelude = '';
  let block = '';
  let depth = 0;
  let [isNested, isEmpty] = [false, true];
  const end = (): void => {
    const isRule = depth === 0 && block !== '' && !isNested && !prelude.trimStart().startsWith('@');
    if (text.trim() !== '')
      found.push({
        text: text.trim(),
        rule: isRule ? { prelude: prelude.trim(), declarations: declarationsOf(block.slice(0, -1)) } : null,
      });
    [text, prelude, block, isNested, isEmpty] = ['', '', '', false, true];
  };
  for (const [part] of css.matchAll(token)) {
    const isBetween = isComment(part) && isEmpty;
    text += part;
    isEmpty &&= part.trim() === '';
    if (isBetween) end();
    else if (depth === 0 && part === '{') depth = 1;
    else if (depth === 0) {
      if (!isComment(part)) prelude += part;
      if (part === ';') end();
    } else {
      if (part === '{') isNested = true;
      depth += part === '{' ? 1 : part === '}' ? -1 : 0;
      block += part;
      if (depth === 0) end();
    }
  }
  end();
  return found;
}

/** The declarations of a block. */
export function declarationsOf(block: string): Declaration[] {
  const texts = [''];
  let depth = 0;
  for (const [part] of block.matchAll(token)) {
    if (isComment(part)) continue;
    if (part === '(' || part === ')') depth = Math.max(0, depth + (part === '(' ? 1 : -1));
    if (part === ';' && depth === 0) texts.push('');
    else texts.push((texts.pop() ?? '') + part);
  }
  return texts
    .filter((text) => text.trim() !== '')
    .map((text) => {
      const [, name = '', written = text] = /^\s*([-\w]+)\s*:([\s\S]*)$/.exec(text) ?? [];
      const value = written.replace(/!\s*important\s*$/i, '');
      return { name: name.toLowerCase(), value: value.trim(), isImportant: value !== written };
    });
}
