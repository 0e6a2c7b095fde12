/** A version as Semantic Versioning writes it, without a label: 1.4.0. */
const form = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;
const heading = '## Unreleased\n';

/** The version's three numbers. @throws Error for another text */
function numbersOf(version: string): readonly number[] {
  const found = form.exec(version);
  if (!found) throw new Error(`${version} is not a version. Write three numbers, such as 1.4.0.`);
  return found.slice(1).map(Number);
}

/** Whether a version comes after another one. @throws Error for a text that is not a version */
export function isLater(version: string, other: string): boolean {
  const [numbers, others] = [numbersOf(version), numbersOf(other)];
  const at = numbers.findIndex((number, index) => number !== others[index]);
  return at !== -1 && (numbers[at] ?? 0) > (others[at] ?? 0);
}

/**
 * Gives the changes under “Unreleased” to a version.
 * @param changelog the text of CHANGELOG.md
 * @param day such as 2026-11-29
 * @returns the new text, with an empty “Unreleased”, and the changes themselves
 * @throws Error if there is nothing to release
 */
export function releaseChanges(changelog: string, version: string, day: string): { changelog: string; notes: string } {
  const start = changelog.indexOf(heading);
  if (start === -1) throw new Error('CHANGELOG.md has no section “Unreleased”.');
  const from = start + heading.length;
  const next = changelog.indexOf('\n## ', from);
  const notes = changelog.slice(from, next === -1 ? undefined : next).trim();
  if (!/^- /m.test(notes))
    throw new Error('CHANGELOG.md says nothing under “Unreleased”. Say there what changes for users.');
  const rest = next === -1 ? '' : changelog.slice(next);
  return { changelog: `${changelog.slice(0, from)}\n## ${version} - ${day}\n\n${notes}\n${rest}`, notes: `${notes}\n` };
}

/** What documents and examples name by its version: the packages of the SDKs, and the tag of the image. */
const named = String.raw`(?<=svc_sdk-|svc-sdk-|svc-go-|newTag: )`;

/** A text of a document or example with a new version in place of the old one. */
export const withVersion = (text: string, old: string, version: string): string =>
  text.replaceAll(new RegExp(`${named}${old.replaceAll('.', String.raw`\.`)}(?!\\.?\\d)`, 'g'), version);
