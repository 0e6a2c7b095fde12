import { literal, output, propertyPath, translated, type Translation } from './translation.js';

/*
 * Go templates with listmonk's fields and functions (https://listmonk.app/docs/templating). Sprig's functions, loops
 * and variables have no fixed counterpart, and are not translated.
 */

const outputs: ReadonlyMap<string, string> = new Map(
  Object.entries({
    UnsubscribeURL: '{{ preferencesUrl }}',
    ManageURL: '{{ preferencesUrl }}',
    // svc does not track.
    TrackView: '',
    '.Subscriber.Name': `${output('contact.firstName')} ${output('contact.lastName')}`,
  }),
);

const fields: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '.Subscriber.Email': 'contact.email',
    '.Subscriber.FirstName': 'contact.firstName',
    '.Subscriber.LastName': 'contact.lastName',
    '.Subscriber.Name': 'contact.firstName',
  }),
);

function pathOf(expression: string): string | undefined {
  const attribute = /^\.Subscriber\.Attribs\.([A-Za-z_][A-Za-z0-9_]*)$/.exec(expression)?.[1];
  if (attribute !== undefined) return propertyPath(attribute);
  // Data of a transactional message: variables of email.send.
  const variable = /^\.Tx\.Data\.([A-Za-z_][A-Za-z0-9_.]*)$/.exec(expression)?.[1];
  return variable ?? fields.get(expression);
}

function conditionOf(expression: string): string | undefined {
  const [, operator, path = '', value = ''] =
    /^(eq|ne|gt|ge|lt|le)\s+(\.\S+)\s+("[^"]*"|`[^`]*`|-?\d+(?:\.\d+)?)$/.exec(expression) ?? [];
  if (operator !== undefined) {
    const found = pathOf(path);
    const signs: Readonly<Record<string, string>> = { eq: '==', ne: '!=', gt: '>', ge: '>=', lt: '<', le: '<=' };
    return found === undefined ? undefined : `${found} ${signs[operator] ?? '=='} ${literal(value)}`;
  }
  const not = /^not\s+(\.\S+)$/.exec(expression)?.[1];
  const found = pathOf(not ?? expression);
  // An empty text counts as true in Liquid.
  return found === undefined ? undefined : `${found} ${not === undefined ? '!=' : '=='} blank`;
}

export function listmonkToLiquid(text: string): Translation {
  /** Blocks that are open: whether their beginning was translated. */
  const blocks: boolean[] = [];
  const translate = (piece: string): string | undefined => {
    const link = /^(https?:\/\/\S+)@TrackLink$/.exec(piece)?.[1];
    if (link !== undefined) return link;
    if (!piece.startsWith('{{')) return undefined;
    const inner = piece.replace(/^\{\{-?\s*|\s*-?\}\}$/g, '');
    if (/^\/\*[\s\S]*\*\/$/.test(inner)) return '';
    const [, opening, condition = ''] = /^(if|else if)\s+(.+)$/s.exec(inner) ?? [];
    if (opening === 'if') {
      const liquid = conditionOf(condition.trim());
      blocks.push(liquid !== undefined);
      return liquid === undefined ? undefined : `{% if ${liquid} %}`;
    }
    if (opening === 'else if') {
      const liquid = conditionOf(condition.trim());
      return blocks.at(-1) === true && liquid !== undefined ? `{% elsif ${liquid} %}` : undefined;
    }
    if (/^(?:range|with|define|block)\b/.test(inner)) {
      blocks.push(false);
      return undefined;
    }
    if (inner === 'else') return blocks.at(-1) === true ? '{% else %}' : undefined;
    if (inner === 'end') return blocks.pop() === true ? '{% endif %}' : undefined;
    const tracked = /^TrackLink\s+["`]([^"`]+)["`](?:\s+\.)?$/.exec(inner)?.[1];
    if (tracked !== undefined) return tracked;
    if (/^Date "2006"(?:\s+\.)?$/.test(inner)) return '{{ "now" | date: "%Y" }}';
    const name = inner.replace(/\s+\.$/, '');
    const known = outputs.get(name);
    if (known !== undefined) return known;
    const path = pathOf(name.replace(/\s*\|\s*Safe$/, ''));
    if (path === undefined) return undefined;
    return name.startsWith('.Tx.') ? `{{ ${path} }}` : output(path);
  };
  const translation = translated(text, /https?:\/\/[^\s"'<>{}]+@TrackLink|\{\{[\s\S]*?\}\}|\{%/g, translate);
  const open = blocks.filter((isTranslated) => isTranslated).length;
  // Liquid refuses a block that is not closed.
  return open === 0
    ? translation
    : {
        text: translation.text + '{% endif %}'.repeat(open),
        untranslated: [...translation.untranslated, '{{ end }} is missing'],
      };
}
