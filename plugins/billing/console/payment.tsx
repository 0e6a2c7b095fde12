import {
  addressOf,
  Button,
  Card,
  exactDay,
  Facts,
  formAddress,
  Head,
  Loading,
  money,
  OperationButton,
  operationNamed,
  Refusal,
  refusalFor,
  textAt,
  useRead,
  webAddress,
  type ResultOf,
  type Row,
} from '#core/surfaces/console/kit/index.js';
import { PastDue } from './standing.js';
import { texts } from './texts.js';

type Account = ResultOf<'billing.get'>;

/** How invoices are paid, the account's credits, and the details on invoices. */
export default function Payment() {
  const { data, error, again } = useRead('billing.get', {});
  return (
    <>
      <Head title="Payment" sub={texts.paymentSub} />
      <PastDue />
      {error ? (
        <Refusal error={error} again={again} />
      ) : data === undefined ? (
        <Loading />
      ) : (
        <div class="two">
          <div class="stack">
            <Method account={data} />
            <Credits account={data} />
          </div>
          <div class="stack">
            <Details account={data} />
          </div>
        </div>
      )}
    </>
  );
}

/** The payment method, and the way to the provider's page. */
function Method({ account: { paymentMethod: method } }: { account: Account }) {
  const back = `${location.origin}${addressOf(['billing', 'payment'])}`;
  return (
    <Card title="Payment method">
      {method === null ? (
        <p class="soft">{texts.methodNone}</p>
      ) : (
        <p>
          <b>{method.brand}</b> ending in <b>{method.last4}</b>
          {method.expires === null ? null : <span class="soft">, expires {method.expires}</span>}
        </p>
      )}
      <div class="row">
        <OperationButton
          operation="billing.payment.setup"
          action={method === null ? 'Add payment method' : 'Replace payment method'}
          kind={method === null ? 'main' : undefined}
          input={{ returnUrl: back }}
          done="The provider’s page opens"
          onDone={({ result }) => {
            const url = webAddress(textAt(result, 'url'), ['https:', 'http:']);
            if (url !== null) location.assign(url);
          }}
        >
          <p>{texts.methodAdd}</p>
        </OperationButton>
      </div>
      {method === null ? null : <p class="faint small">{texts.methodReplace}</p>}
    </Card>
  );
}

/** The credits, and what is left of them. */
const Credits = ({ account: { credit } }: { account: Account }) => (
  <Card title="Credits" flush={credit.credits.length > 0}>
    {credit.credits.length === 0 ? (
      <p class="soft">{texts.creditsNone}</p>
    ) : (
      <>
        <p class="in">
          <b>{money(credit.balance)}</b> left. {texts.creditsUse}
        </p>
        <div class="scroll" tabIndex={0} role="region" aria-label="Credits">
          <table>
            <thead>
              <tr>
                <th scope="col">Reason</th>
                <th scope="col" class="num">
                  Granted
                </th>
                <th scope="col" class="num">
                  Left
                </th>
                <th scope="col">Until</th>
              </tr>
            </thead>
            <tbody>
              {credit.credits.map(({ id, reason, amount, remaining, expiresAt, reversedAt }) => (
                <tr key={id}>
                  <td class="wrap">
                    {reason} {reversedAt === null ? null : <span class="tag">reversed</span>}
                  </td>
                  <td class="num">{money(amount)}</td>
                  <td class="num">{money(remaining)}</td>
                  <td>{expiresAt === null ? 'Does not expire' : exactDay(expiresAt)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </>
    )}
  </Card>
);

/** What is printed on invoices. */
function Details({ account: { details } }: { account: Account }) {
  const set = operationNamed('billing.details.set');
  return (
    <Card
      title="On invoices"
      beside={
        set ? (
          <span class="right">
            <Button kind="small" href={formAddress(set.name, formOf(details))} refused={refusalFor(set)}>
              Edit details
            </Button>
          </span>
        ) : undefined
      }
    >
      {details === null ? <p class="soft">{texts.detailsNone}</p> : <Facts row={filled(printed(details))} />}
      <p class="faint small">{texts.details}</p>
    </Card>
  );
}

type SavedDetails = NonNullable<Account['details']>;

const printed = ({ updatedAt: _, ...details }: SavedDetails): Row => details;

/** What the form begins with. Details that were never set may have been set by somebody else meanwhile. */
const formOf = (details: Account['details']): Row => ({
  ...(details === null ? {} : filled(printed(details))),
  ifUnchangedSince: details?.updatedAt ?? new Date(0).toISOString(),
});

/** An object without its empty fields. */
const filled = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]): [string, unknown][] =>
      value === null || value === '' ? [] : [[name, typeof value === 'object' ? filled({ ...value }) : value]],
    ),
  );
