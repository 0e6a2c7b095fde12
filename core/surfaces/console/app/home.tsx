import { addressOf } from '../kit/address.js';
import { Card, Head } from '../kit/page.js';
import { acting } from '../kit/state.js';
import { entriesOf, shownProducts } from './navigation.js';

/** The first screen. */
export const Home = () => (
  <>
    <Head title="Home" sub={`${acting.value?.account ?? ''} / ${acting.value?.project ?? ''}`} />
    <div class="cols wide-cols">
      {shownProducts().map(({ name, title, summary }) => (
        <Card key={name} title={title}>
          <p class="soft">{summary}</p>
          <ul class="links">
            {entriesOf(name)
              .slice(0, 6)
              .map((entry) => (
                <li>
                  <a href={entry.href}>{entry.title}</a>
                </li>
              ))}
          </ul>
          <a href={addressOf([name])}>All operations</a>
        </Card>
      ))}
    </div>
  </>
);
