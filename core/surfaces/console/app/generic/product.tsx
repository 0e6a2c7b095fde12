import type { ConsoleOperation } from '../../shared.js';
import { addressOf, formAddress, inGroup } from '../../kit/address.js';
import { Card, Head } from '../../kit/page.js';
import { Prose } from '../../kit/prose.js';
import { catalogue } from '../../kit/state.js';
import { actionTitle, groupOf, groupTitle, productOf } from '../../kit/words.js';
import { shownProducts } from '../navigation.js';

/** Everything a product can do, group by group: each operation has a form. */
export function ProductScreen({ product }: { product: string }) {
  const known = shownProducts().find(({ name }) => name === product);
  const operations = (catalogue.value?.operations ?? []).filter((each) => productOf(each) === product);
  const groups = [...new Set(operations.map(groupOf))].sort();
  return (
    <>
      <Head title={known?.title ?? product} sub={known?.summary} />
      <div class="cols wide-cols">
        {groups.map((group) => (
          <Card
            key={group}
            title={group === '' ? (known?.title ?? product) : groupTitle(group)}
            beside={<GroupLink product={product} group={group} />}
          >
            <ul class="links">
              {operations
                .filter((each) => groupOf(each) === group)
                .map((operation) => (
                  <li>
                    <a href={formAddress(operation.name)}>{actionTitle(operation)}</a> <Access operation={operation} />
                    <p class="faint">
                      <Prose text={operation.summary} />
                    </p>
                  </li>
                ))}
            </ul>
          </Card>
        ))}
      </div>
    </>
  );
}

const GroupLink = ({ product, group }: { product: string; group: string }) =>
  group !== '' && inGroup(product, group, 'list')?.access === 'secret' ? (
    <a class="right" href={addressOf([product, group])}>
      Open list
    </a>
  ) : null;

/** Operations of end users' apps are marked: they need another key. */
const Access = ({ operation: { access } }: { operation: ConsoleOperation }) =>
  access === 'secret' ? null : (
    <span class="tag">
      {access === 'publishable' ? 'from your app' : access === 'user' ? 'for the signed-in user' : access}
    </span>
  );
