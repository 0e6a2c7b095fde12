import { useState } from 'preact/hooks';
import { Button, Dialog, Loading, Refusal, Time, useRead, type ResultOf } from '#core/surfaces/console/kit/index.js';
import { ChangedTexts } from './changed-texts.js';
import { localesOf, type Locales } from './template-texts.js';

interface VersionsProps {
  template: string;
  versions: ResultOf<'email.template.get'>['versions'];
  /** The texts in the editor. */
  now: Locales;
  /** Puts the texts of a version into the editor. */
  onTake: (texts: Locales) => void;
  onClose: () => void;
}

/** The published versions, and what changes between one of them and the editor. */
export function Versions({ template, versions, now, onTake, onClose }: VersionsProps) {
  const [chosen, choose] = useState<number>();
  return (
    <Dialog title="Versions" onClose={onClose}>
      {versions.length === 0 ? <p class="soft">Nothing is published yet.</p> : null}
      <ol class="line">
        {versions.map(({ version, publishedAt, publishedBy }) => (
          <li key={version} class={version === versions[0]?.version ? 'good' : ''}>
            <button
              type="button"
              class="link"
              aria-expanded={version === chosen}
              onClick={() => choose(version === chosen ? undefined : version)}
            >
              Version {version}
            </button>
            <p>
              <Time at={publishedAt} />, by {publishedBy}
            </p>
            {version === chosen ? <Compared template={template} version={version} now={now} onTake={onTake} /> : null}
          </li>
        ))}
      </ol>
      <div class="row end">
        <Button onClick={onClose}>Close versions</Button>
      </div>
    </Dialog>
  );
}

function Compared({
  template,
  version,
  now,
  onTake,
}: { version: number } & Pick<VersionsProps, 'template' | 'now' | 'onTake'>) {
  const { data, error } = useRead('email.template.get', { template, version });
  if (error) return <Refusal error={error} />;
  if (!data) return <Loading lines={3} />;
  const texts = localesOf(data.published);
  return (
    <div class="stack">
      <ChangedTexts before={texts} after={now} />
      <div>
        <Button kind="small" onClick={() => onTake(texts)}>
          {`Edit version ${version} as the draft`}
        </Button>
      </div>
    </div>
  );
}
