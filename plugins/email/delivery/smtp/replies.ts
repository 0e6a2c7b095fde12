/** A server with a longer answer is cut off. */
const longest = 1024 * 1024;

/**
 * Reads an SMTP server's replies (RFC 5321 §4.2) as they come in.
 * @param onReply called with each whole reply: its lines, without their ends, joined by line feeds
 * @param onEndless called when a reply does not end
 * @returns the function that takes the octets
 */
export function replyReader(onReply: (reply: string) => void, onEndless: () => void): (chunk: Buffer) => void {
  let rest = '';
  /** The lines of a reply that has not ended yet. */
  let lines = '';
  return (chunk) => {
    const text = rest + chunk.toString('utf8');
    let from = 0;
    for (let at = text.indexOf('\n', from); at !== -1; at = text.indexOf('\n', from)) {
      const line = text.slice(from, text[at - 1] === '\r' && at > from ? at - 1 : at);
      from = at + 1;
      // “250-” continues it, “250 ” ends it.
      if (line.length > 3 && line[3] === '-' && /^\d{3}/.test(line)) {
        lines += `${line}\n`;
        continue;
      }
      const reply = lines + line;
      lines = '';
      if (reply !== '') onReply(reply);
    }
    rest = text.slice(from);
    if (rest.length + lines.length > longest) onEndless();
  };
}
