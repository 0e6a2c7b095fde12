interface ProgressProps {
  done: number;
  total: number;
  label: string;
}

/** How far long work is. */
export const Progress = ({ done, total, label }: ProgressProps) => (
  <progress class="progress" aria-label={label} value={done} max={Math.max(1, total)} />
);

interface ShareProps {
  label: string;
  parts: readonly { readonly tone: 'good' | 'warn' | 'bad' | 'run' | ''; readonly count: number }[];
}

/** The parts of a whole as one bar; the words and numbers are beside it. */
export const Share = ({ label, parts }: ShareProps) => (
  <div class="share" role="img" aria-label={label}>
    {parts.map(({ tone, count }) =>
      count === 0 ? null : (
        <i
          class={tone}
          ref={(element) => {
            element?.style.setProperty('flex-grow', String(count));
          }}
        />
      ),
    )}
  </div>
);
