import { useState } from 'preact/hooks';
import { Icon } from '#core/surfaces/console/kit/index.js';
import { composeTexts } from './compose-texts.js';

export interface AttachedFile {
  readonly filename: string;
  readonly contentType: string;
  /** Base64. */
  readonly content: string;
  readonly bytes: number;
}

/** The limit of email.send for all files together. */
const mostBytes = 10 * 1_048_576;

const base64Of = async (file: File): Promise<string> => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return btoa(text);
};

const size = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1_000))} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

interface FilesProps {
  files: readonly AttachedFile[];
  onChange: (files: readonly AttachedFile[]) => void;
}

/** The files of an email, chosen or dropped. */
export function Files({ files, onChange }: FilesProps) {
  const [problem, setProblem] = useState('');
  const [isOver, setOver] = useState(false);
  const add = async (chosen: FileList | null | undefined): Promise<void> => {
    const all = [...(chosen ?? [])];
    const sum = [...files.map(({ bytes }) => bytes), ...all.map((each) => each.size)].reduce((a, b) => a + b, 0);
    setProblem(sum > mostBytes ? composeTexts.tooLarge : '');
    if (sum > mostBytes) return;
    const read = all.map(async (file): Promise<AttachedFile> => ({
      filename: file.name,
      contentType: /^[\w.+-]+\/[\w.+-]+$/.test(file.type) ? file.type : 'application/octet-stream',
      content: await base64Of(file),
      bytes: file.size,
    }));
    onChange([...files, ...(await Promise.all(read))]);
  };
  return (
    <div
      class={`drop-files ${isOver ? 'over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void add(event.dataTransfer?.files);
      }}
    >
      <label class="b small">
        <Icon name="upload" /> Attach files
        <input
          class="unseen"
          type="file"
          multiple
          onChange={({ currentTarget }) => {
            void add(currentTarget.files);
            currentTarget.value = '';
          }}
        />
      </label>
      {files.map((file, index) => (
        <span key={`${index} ${file.filename}`} class="recipient">
          {file.filename} <span class="faint">{size(file.bytes)}</span>
          <button
            type="button"
            aria-label={`Remove ${file.filename}`}
            onClick={() => onChange(files.filter((_, at) => at !== index))}
          >
            ×
          </button>
        </span>
      ))}
      <span class="faint small">{composeTexts.files}</span>
      {problem === '' ? null : (
        <span class="error" role="alert">
          {problem}
        </span>
      )}
    </div>
  );
}
