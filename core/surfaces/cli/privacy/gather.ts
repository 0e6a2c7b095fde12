import { at, isRecord, listAt, textAt } from '#core/runtime/json.js';
import type { CallTarget } from '../call.js';
import type { CliCatalogue } from '../command-catalogue.js';
import { ApiError } from '../errors.js';
import { allPages } from '../pages.js';
import { patientCall } from '../patient-call.js';
import { attachment, profiles, sections, type Input, type Known, type Profile, type Section } from './sections.js';

/** An attachment of a mail that the person sent. */
interface AttachedFile {
  readonly name: string;
  readonly content: Buffer;
}

/** Everything that svc stores about a person. */
export interface PersonalData {
  /** The items of each profile and section, by its name. */
  readonly items: Readonly<Record<string, readonly unknown[]>>;
  readonly files: readonly AttachedFile[];
  /** The operations that were not read, because the server does not have their product. */
  readonly notRead: readonly string[];
}

/**
 * Reads everything about a person by the operations of sections.ts. The addresses of the contact and of the user count
 * as the person's, so any of them finds everything.
 * @param known the names that the person is searched by; names that are found are added
 * @throws ApiError for a call that is refused, for example for a missing permission: an incomplete export must not look
 *   complete
 */
export async function gatherPerson(target: CallTarget, catalogue: CliCatalogue, known: Known): Promise<PersonalData> {
  const notRead = new Set<string>();
  const items: Record<string, readonly unknown[]> = {};

  /** @returns undefined if there is no such thing, or the server does not have the product */
  const found = async <T>(operation: string, read: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'product_disabled' || error.code === 'unknown_operation') notRead.add(operation);
      else if (error.status !== 404) throw error;
      return undefined;
    }
  };
  const get = async (operation: string, input: Input): Promise<Input | undefined> =>
    (await found(operation, () => patientCall(target, operation, input)))?.result;

  const readProfile = async ({ operation, name, inputs, ids }: Profile): Promise<unknown[]> => {
    const byId = new Map<string, Input>();
    for (const input of inputs(known)) {
      const result = await get(operation, input);
      const id = textAt(result, name, 'id');
      if (!result || id === null) continue;
      known[ids].add(id);
      byId.set(id, result);
      rememberAddresses(known, result);
    }
    return [...byId.values()];
  };

  const readSection = async ({ operation, inputs, each }: Section): Promise<unknown[]> => {
    const listed = catalogue.operations.find(({ name }) => name === operation);
    if (!listed) throw new Error(`${operation} is not an operation.`);
    const byText = new Map<string, unknown>();
    for (const input of inputs(known)) {
      const answer = await found(operation, () => allPages(listed, target, input));
      for (const item of listAt(answer?.result, listed.list?.field ?? '')) {
        const whole = each && (await get(each.operation, { [each.input]: at(item, each.id) }));
        // What concerns two addresses of the person is listed for each.
        byText.set(JSON.stringify(item), whole ?? item);
      }
    }
    return [...byText.values()];
  };

  // Twice: an address of the user may find the contact, and one of the contact the user.
  for (let round = 0; round < 2; round += 1)
    for (const profile of profiles) items[profile.name] = await readProfile(profile);
  for (const section of sections) items[section.name] = await readSection(section);
  const files: AttachedFile[] = [];
  for (const mail of items['receivedEmails'] ?? []) files.push(...(await filesOf(mail, get)));
  return { items, files, notRead: [...notRead] };
}

function rememberAddresses({ emails, phones }: Known, result: Input): void {
  const named = [at(result, 'contact'), at(result, 'user')].filter(isRecord);
  const identities = listAt(result, 'identities').map((identity) => ({
    [textAt(identity, 'kind') ?? '']: at(identity, 'value'),
  }));
  for (const each of [...named, ...identities]) {
    const [email, phone] = [textAt(each, 'email'), textAt(each, 'phone')];
    if (email !== null) emails.add(email);
    if (phone !== null) phones.add(phone);
  }
}

async function filesOf(
  mail: unknown,
  get: (operation: string, input: Input) => Promise<Input | undefined>,
): Promise<AttachedFile[]> {
  const files: AttachedFile[] = [];
  for (const listed of listAt(mail, 'attachments')) {
    const attachmentId = textAt(listed, 'attachmentId') ?? '';
    const result = await get(attachment, { inboundId: textAt(mail, 'inbound', 'inboundId'), attachmentId });
    const content = textAt(result, 'content');
    // The sender has chosen the file's name, so only the end of it is used.
    const extension = /\.[A-Za-z0-9]{1,8}$/.exec(textAt(listed, 'filename') ?? '')?.[0] ?? '';
    if (content !== null) files.push({ name: `${attachmentId}${extension}`, content: Buffer.from(content, 'base64') });
  }
  return files;
}
