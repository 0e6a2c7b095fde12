import { useRef, useState } from 'preact/hooks';
import {
  Button,
  csvOf,
  Dialog,
  download,
  Progress,
  Refusal,
  rowAt,
  textAt,
  type Row,
} from '#core/surfaces/console/kit/index.js';
import { readContacts } from './contact-pages.js';
import { contactTexts } from './contact-texts.js';

const fields = ['email', 'phone', 'firstName', 'lastName', 'externalId', 'locale', 'timeZone', 'createdAt', 'id'];
const mostRows = 1_000_000;

/** Spreadsheets calculate what begins like a formula. A contact can have written it. */
const harmless = (cell: string): string =>
  /^[=@\t\r]/.test(cell) || (/^[+-]/.test(cell) && !/^[+-][\d\s().-]*$/.test(cell)) ? `'${cell}` : cell;

const cellOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? harmless(String(value)) : '';

/** Contacts as a CSV that Imports reads again: their fields, then each property. */
function csvOfContacts(contacts: readonly Row[]): string {
  const keys = [...new Set(contacts.flatMap((each) => Object.keys(rowAt(each, 'properties'))))].sort();
  const lines = contacts.map((each) => [
    ...fields.map((field) => cellOf(textAt(each, field))),
    ...keys.map((key) => cellOf(rowAt(each, 'properties')[key])),
  ]);
  return csvOf([[...fields, ...keys.map(harmless)], ...lines]);
}

interface ExportProps {
  filter: Row;
  /** How many contacts match; undefined if it is not known. */
  size: number | undefined;
}

/** Saves the contacts of the filters as a file, with progress. It is made in the browser. */
export function ExportContacts({ filter, size }: ExportProps) {
  const [read, setRead] = useState<number>();
  const [problem, setProblem] = useState<unknown>();
  const state = useRef(true);
  const isWanted = (): boolean => state.current;
  const start = async (): Promise<void> => {
    state.current = true;
    setProblem(undefined);
    setRead(0);
    try {
      const rows = await readContacts(filter, mostRows, (count) => {
        setRead(count);
        return isWanted();
      });
      if (!isWanted()) return;
      download(`contacts-${new Date().toISOString().slice(0, 10)}.csv`, csvOfContacts(rows));
      setRead(undefined);
    } catch (error) {
      setProblem(error);
    }
  };
  const close = (): void => {
    state.current = false;
    setRead(undefined);
  };
  return (
    <>
      <Button onClick={() => void start()}>Export</Button>
      {read === undefined ? null : (
        <Dialog title="Export contacts" onClose={close}>
          <div class="stack">
            {problem === undefined ? (
              <>
                <p class="soft">{contactTexts.exporting}</p>
                <Progress label="Contacts read" done={read} total={size ?? read + 1} />
                <p role="status">
                  {read.toLocaleString('en')} {size === undefined ? '' : `of ${size.toLocaleString('en')}`} contacts
                </p>
              </>
            ) : (
              <Refusal error={problem} again={() => void start()} />
            )}
            <div class="row end">
              <Button onClick={close}>Cancel export</Button>
            </div>
          </div>
        </Dialog>
      )}
    </>
  );
}
