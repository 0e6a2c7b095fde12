/*
 * The addresses of a header, such as From (RFC 5322 §3.4), as they are written: a quoted local part keeps its quotes,
 * because it would be another address without them. Imperfect address lists are read too, such as a name with a comma
 * and without quotes.
 */

/** A quoted local part, or everything before the last `@`. */
const addressGrammar = /^(?:"(?:[^"\\]|\\.)*"|[^\s"<>(),;]+)@(?:\[[^\]]+\]|[^\s"<>(),;@[\]]+)$/s;

/** Of one address: the form takes a time that grows with the square of a word of `@`. RFC 5321 allows 254. */
const mostInAddress = 1_000;
const isAddress = (word: string): boolean => word.length <= mostInAddress && addressGrammar.test(word);

/** Anything longer is cut off. */
const mostCharacters = 64 * 1024;

/** @returns the addresses in their order, including the addresses of a group */
export function addressesIn(value: string): string[] {
  const header = value.slice(0, mostCharacters);
  const withoutQuotes = header.replaceAll('"', ' ');
  const readings = [header, header.replaceAll('(', ' '), withoutQuotes, withoutQuotes.replaceAll('(', ' ')];
  for (const reading of readings) {
    const mailboxes = mailboxesIn(reading);
    const found = mailboxes?.flatMap((mailbox) => addressOf(mailbox) ?? []) ?? [];
    if (found.length > 0) return found;
  }
  return [];
}

interface Mailbox {
  /** The words outside angle brackets. */
  readonly words: string[];
  /** The text in angle brackets, without spaces and comments. */
  angle: string | null;
}

function addressOf({ words, angle }: Mailbox): string | undefined {
  // RFC 5322 §4.4: `<@relay.example,@other.example:ada@example.com>`
  const named = angle?.replace(/^@[^:]*:/, '');
  if (named !== undefined && isAddress(named)) return named;
  return words.find(isAddress);
}

/** @returns null if a quoted string or comment does not end */
function mailboxesIn(header: string): Mailbox[] | null {
  const found: Mailbox[] = [];
  let mailbox: Mailbox = { words: [''], angle: null };
  let isInAngle = false;
  const end = (): void => {
    found.push(mailbox);
    mailbox = { words: [''], angle: null };
  };
  const add = (text: string): void => {
    if (isInAngle) mailbox.angle = `${mailbox.angle ?? ''}${text}`;
    else mailbox.words.push(`${mailbox.words.pop() ?? ''}${text}`);
  };
  for (let at = 0; at < header.length; at += 1) {
    const character = header.charAt(at);
    if (character === '"' || character === '(' || character === '[') {
      const after = endOf(header, at);
      if (after === null) return null;
      if (character !== '(') add(header.slice(at, after));
      at = after - 1;
    } else if (/\s/.test(character)) {
      if (!isInAngle && mailbox.words.at(-1) !== '') mailbox.words.push('');
    } else if (isInAngle) {
      if (character === '>') isInAngle = false;
      else add(character);
    } else if (character === '<') {
      isInAngle = true;
      mailbox.angle = '';
    } else if (character === ',' || character === ';') end();
    // The text before a colon is the name of a group.
    else if (character === ':') mailbox.words.splice(0, Infinity, '');
    else add(character);
  }
  end();
  return found;
}

/**
 * The end of a quoted string, a comment or the literal of a domain; null if it does not end. Comments may be nested.
 */
function endOf(header: string, start: number): number | null {
  const open = header.charAt(start);
  if (open === '[') return start + (/^\[[^[\]\s]{1,100}\]/.exec(header.slice(start, start + 102))?.[0].length ?? 1);
  let depth = 1;
  for (let at = start + 1; at < header.length; at += 1) {
    const character = header.charAt(at);
    if (character === '\\') at += 1;
    else if (character === (open === '(' ? ')' : '"')) depth -= 1;
    else if (character === open) depth += 1;
    if (depth === 0) return at + 1;
  }
  return null;
}
