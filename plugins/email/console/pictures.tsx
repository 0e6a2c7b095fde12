import {
  Button,
  counted,
  escapeHtml,
  FormDialog,
  Loading,
  Refusal,
  refusalFor,
  type ResultOf,
  TextInput,
  useAction,
  useFields,
  useRead,
} from '#core/surfaces/console/kit/index.js';
import { useRef, useState } from 'preact/hooks';
import { readPicture } from './smaller-picture.js';
import { pictureTexts } from './texts.js';

type Picture = ResultOf<'email.template.get'>['images'][number];

/** The width of a mail’s text. */
const mailWidth = 600;

/** A text for an attribute of a template: neither HTML nor Liquid in it means anything. */
const asAttribute = (text: string): string => escapeHtml(text).replaceAll('{', '&#123;');

/** A picture as HTML for mail. @param description empty for a decoration, which screen readers skip */
const pictureHtml = ({ url, width }: Picture, description: string): string =>
  `<img src="${asAttribute(url)}" alt="${asAttribute(description)}"${description === '' ? ' role="presentation"' : ''} width="${Math.min(width, mailWidth)}" style="max-width:100%;height:auto">`;

const size = (bytes: number): string =>
  `${new Intl.NumberFormat('en', { maximumSignificantDigits: 3 }).format(Math.max(1, bytes / 1000))} kB`;

interface PicturesProps {
  template: string;
  /** @param html what to insert into the template */
  onInsert: (html: string) => void;
  onClose: () => void;
}

/** A button that opens the pictures. */
export function InsertPicture({ template, onInsert }: Omit<PicturesProps, 'onClose'>) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button kind="small" icon="plus" onClick={() => setOpen(true)}>
        Insert picture
      </Button>
      {open ? <Pictures template={template} onInsert={onInsert} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** The pictures of the environment: choose one, or add one by file, drop or paste, and describe it. */
function Pictures({ template, onInsert, onClose }: PicturesProps) {
  const { data, error, again } = useRead('email.template.get', { template });
  const action = useAction();
  const form = useFields(`picture ${template}`, { url: '', description: '', isDecoration: false });
  const [problem, setProblem] = useState<string>();
  const [reading, setReading] = useState(false);
  const { url, description, isDecoration } = form.values;
  const pictures = data?.images ?? [];
  const chosen = pictures.find((each) => each.url === url);
  const mayAdd = refusalFor('email.template.draft.save');
  const close = (): void => {
    form.clear();
    onClose();
  };
  const addOne = async (file: File): Promise<void> => {
    setReading(true);
    const read = await readPicture(file).catch((failure: unknown) => {
      setProblem(failure instanceof Error ? failure.message : String(failure));
      return undefined;
    });
    setReading(false);
    if (!read) return;
    const saved = await action.run('email.template.draft.save', { template, images: [read] }, 'Picture added.');
    const [added] = saved?.images ?? [];
    if (added) form.set({ url: added.url });
  };
  /** One after the other, also those that come while another is being saved. */
  const adding = useRef(Promise.resolve());
  const add = (files: FileList | null | undefined): void => {
    if (mayAdd !== undefined) return;
    setProblem(undefined);
    for (const file of files ?? []) adding.current = adding.current.then(() => addOne(file));
  };
  const lacking = !chosen
    ? 'Choose a picture first.'
    : !isDecoration && description.trim() === ''
      ? 'Describe the picture first, or mark it as decoration.'
      : undefined;
  const insert = (): void => {
    if (!chosen || lacking !== undefined) return;
    onInsert(pictureHtml(chosen, isDecoration ? '' : description.trim()));
    close();
  };
  return (
    <FormDialog
      title="Insert picture"
      action="Insert picture"
      busy={action.busy || reading}
      refused={lacking}
      onCancel={close}
      onSubmit={() => insert()}
      onClose={onClose}
      class="pictures"
      onPaste={(event) => add(event.clipboardData?.files)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        add(event.dataTransfer?.files);
      }}
    >
      {action.problem === undefined ? null : <Refusal error={action.problem} />}
      <label class="picture-drop">
        <span>
          <b>Drop a picture here, paste it, or choose a file</b>
          <span class="hint">{mayAdd ?? pictureTexts.limits}</span>
        </span>
        <input
          type="file"
          accept="image/jpeg,image/png,image/gif,image/webp"
          disabled={mayAdd !== undefined || reading || action.busy}
          onChange={({ currentTarget }) => {
            add(currentTarget.files);
            currentTarget.value = '';
          }}
        />
      </label>
      <p role="status" class={problem === undefined ? 'soft' : 'error'}>
        {problem ?? (reading || action.busy ? 'Adding the picture…' : '')}
      </p>
      {error ? <Refusal error={error} again={again} /> : null}
      {!data && !error ? <Loading lines={3} /> : null}
      {pictures.length === 0 ? null : (
        <fieldset class="picture-list">
          <legend>{counted(pictures.length, 'picture')} of this environment</legend>
          {pictures.map((each) => (
            <label key={each.url}>
              <input
                type="radio"
                name="picture"
                checked={each.url === url}
                onChange={() => form.set({ url: each.url })}
              />
              {/* From this server, whatever the public address is. */}
              <img src={new URL(each.url).pathname} alt="" />
              <b class="cut">{each.name}</b>
              <span class="faint">
                {each.width} × {each.height}, {size(each.bytes)}
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {isDecoration ? null : (
        <TextInput
          label="Description"
          value={description}
          onInput={(text) => form.set({ description: text })}
          hint={pictureTexts.description}
        />
      )}
      <label class="check">
        <input
          type="checkbox"
          checked={isDecoration}
          onChange={({ currentTarget }) => form.set({ isDecoration: currentTarget.checked })}
        />
        <span>It is only decoration: screen readers leave it out.</span>
      </label>
    </FormDialog>
  );
}
