import { Card } from '#core/surfaces/console/kit/index.js';
import { checksOf } from './checks.js';
import type { Texts } from './template-texts.js';

/** What to look at before the email is sent. */
export const TemplateChecks = ({ texts }: { texts: Texts }) => (
  <Card title="Check" flush>
    <ul class="v-checks">
      {checksOf(texts).map(({ ok, text }) => (
        <li key={text}>
          <span class={`st ${ok ? 'good' : 'warn'}`}>{ok ? 'Good' : 'Look at'}</span>
          <span>{text}</span>
        </li>
      ))}
    </ul>
  </Card>
);
