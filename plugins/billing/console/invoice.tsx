import { useState } from 'preact/hooks';
import {
  addressOf,
  Button,
  call,
  Card,
  CopyButton,
  download,
  exactDay,
  Facts,
  has,
  Head,
  History,
  Loading,
  money,
  Notice,
  OperationButton,
  Refusal,
  refusalFor,
  Status,
  useRead,
  type ResultOf,
  type Row,
  type ScreenProps,
} from '#core/surfaces/console/kit/index.js';
import { monthName } from './standing.js';
import { texts } from './texts.js';

type Invoice = ResultOf<'billing.invoice.get'>['invoice'];

const number = new Intl.NumberFormat('en');
const amount = ({ currency }: Invoice, value: string): string => money({ currency, amount: value });
/**
 * Whether an unpaid invoice of an account with a payment method is being collected: it is collected when it is issued
 * and when a method is added, and a collection that fails leaves a reason until the next one is with the bank.
 */
const isCollecting = (invoice: Invoice, hasMethod: boolean): boolean =>
  isUnpaid(invoice) && hasMethod && invoice.lastFailure === null;
const isUnpaid = ({ status }: Invoice): boolean => status === 'open' || status === 'past_due';

/** An invoice that may be being collected is read again. */
const pollMs = ({ invoice }: ResultOf<'billing.invoice.get'>): number | undefined =>
  isUnpaid(invoice) && invoice.lastFailure === null ? 10_000 : undefined;

/** The invoice of a month: what is due and how to pay it, its lines, and its PDF. */
export default function InvoiceScreen({ params }: ScreenProps) {
  const period = params['period'] ?? '';
  const { data, error, again } = useRead('billing.invoice.get', { period }, { pollMs });
  const account = useRead('billing.get', {});
  if (error)
    return (
      <>
        <Head title={`Invoice of ${monthName(period)}`} />
        <Refusal error={error} again={again} />
      </>
    );
  if (data === undefined) return <Loading />;
  const { invoice, pageUrl } = data;
  const hasMethod = account.data === undefined ? undefined : account.data.paymentMethod !== null;
  return (
    <>
      <Head
        title={invoice.number === null ? `Draft of ${monthName(period)}` : `Invoice ${invoice.number}`}
        beside={<Status status={invoice.status} />}
        sub={
          <>
            {monthName(period)} · <a href={addressOf(['billing', 'invoice'])}>All invoices</a>
          </>
        }
        actions={
          <>
            <PdfButton invoice={invoice} />
            {isUnpaid(invoice) && hasMethod && !isCollecting(invoice, hasMethod) ? (
              <OperationButton
                operation="billing.invoice.pay"
                action={`Pay ${amount(invoice, invoice.total)}`}
                kind={pageUrl === null ? 'main' : undefined}
                input={{ period }}
                done="Payment started"
              >
                <p>{texts.pay}</p>
              </OperationButton>
            ) : null}
            {isUnpaid(invoice) && pageUrl !== null ? (
              <a class="b main" href={pageUrl} target="_blank" rel="noopener">
                Open payment page
              </a>
            ) : null}
          </>
        }
      />
      <Due invoice={invoice} pageUrl={pageUrl} hasMethod={hasMethod ?? true} />
      <div class="two">
        <Card title="Lines" flush={invoice.lines.length > 0}>
          {invoice.lines.length === 0 ? <p class="soft">{texts.noLines}</p> : <Lines invoice={invoice} />}
        </Card>
        <div class="stack">
          <Card title="Invoice">
            <Facts product="billing" row={datesOf(invoice)} />
            {pageUrl === null || isUnpaid(invoice) ? null : (
              <p>
                <a href={pageUrl} target="_blank" rel="noopener">
                  Open the page of the invoice
                </a>
              </p>
            )}
          </Card>
          <History id={invoice.id} />
        </div>
      </div>
    </>
  );
}

/** When it was issued, is due and was paid. */
const datesOf = ({ issuedAt, dueAt, paidAt }: Invoice): Row => ({
  ...(issuedAt === null ? {} : { issued: exactDay(issuedAt) }),
  ...(dueAt === null ? {} : { due: exactDay(dueAt) }),
  ...(paidAt === null ? {} : { paid: exactDay(paidAt) }),
});

/** What its state means, and the next step. */
function Due({ invoice, pageUrl, hasMethod }: { invoice: Invoice; pageUrl: string | null; hasMethod: boolean }) {
  const { status, dueAt, lastFailure, isCarriedOver } = invoice;
  const collecting = isCollecting(invoice, hasMethod);
  const words = {
    draft: texts.draft,
    open: collecting ? texts.collecting : hasMethod ? texts.open : texts.openWithout,
    past_due: collecting ? `${texts.pastDueMeans} ${texts.collecting}` : texts.pastDueMeans,
    paid: texts.paid,
    void: isCarriedOver ? texts.carried : texts.void,
  }[status];
  const tone = { draft: undefined, open: 'warn', past_due: 'bad', paid: 'good', void: undefined } as const;
  const shown = tone[status];
  return (
    <Notice
      {...(shown === undefined ? {} : { tone: shown })}
      action={
        isUnpaid(invoice) && !hasMethod && has('billing.payment.setup') ? (
          <Button kind="small" href={addressOf(['billing', 'payment'])} refused={refusalFor('billing.payment.setup')}>
            Add payment method
          </Button>
        ) : undefined
      }
    >
      <p>
        <b>
          {amount(invoice, invoice.total)}
          {isUnpaid(invoice) && dueAt !== null ? `, due on ${exactDay(dueAt)}` : ''}
        </b>
      </p>
      <p>{words}</p>
      {lastFailure === null || !isUnpaid(invoice) ? null : (
        <p>
          The last attempt failed on {exactDay(lastFailure.at)}: {lastFailure.reason}
        </p>
      )}
      {!isUnpaid(invoice) ? null : pageUrl === null ? (
        <p>{texts.mayNotPay}</p>
      ) : (
        <p>
          {texts.pageHint} <CopyButton text={pageUrl} label="Copy the link to the payment page" />
        </p>
      )}
    </Notice>
  );
}

/** The lines, and what they add up to. */
const Lines = ({ invoice }: { invoice: Invoice }) => (
  <table class="lines">
    <thead>
      <tr>
        <th scope="col">What</th>
        <th scope="col" class="num">
          Quantity
        </th>
        <th scope="col" class="num">
          Amount
        </th>
      </tr>
    </thead>
    <tbody>
      {invoice.lines.map(({ description, projectName, quantity, unitPrice, amount: value }) => (
        <tr>
          <td class="wrap">
            {description}
            {projectName === null ? null : <p class="faint small">{projectName}</p>}
          </td>
          <td class="num wrap">
            {number.format(quantity)} × {amount(invoice, unitPrice)}
          </td>
          <td class="num">{amount(invoice, value)}</td>
        </tr>
      ))}
    </tbody>
    <tfoot>
      {totalsOf(invoice).map(([name, value]) => (
        <tr>
          <th scope="row" colSpan={2}>
            {name}
          </th>
          <td class="num">{value}</td>
        </tr>
      ))}
    </tfoot>
  </table>
);

/** Subtotal, credit and tax, if they are not zero, and the total. */
const totalsOf = (invoice: Invoice): (readonly [string, string])[] => [
  ...(
    [
      ['Subtotal', invoice.subtotal],
      ['Paid by credits', invoice.credit === '0.00' ? '0' : `-${invoice.credit}`],
      ['Tax', invoice.tax],
    ] as const
  ).flatMap(([name, value]) => (Number(value) === 0 ? [] : [[name, amount(invoice, value)] as const])),
  ['Total', amount(invoice, invoice.total)],
  ...(Number(invoice.refunded) === 0 ? [] : [['Refunded', amount(invoice, invoice.refunded)] as const]),
];

/** Saves the invoice as a PDF. */
function PdfButton({ invoice }: { invoice: Invoice }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const save = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      const { result } = await call('billing.invoice.get', { period: invoice.period, pdf: true });
      const bytes = Uint8Array.from(atob(result.pdf ?? ''), (character) => character.charCodeAt(0));
      download(`${invoice.number ?? `draft-${invoice.period}`}.pdf`, bytes, 'application/pdf');
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button busy={busy} onClick={() => void save()}>
        {busy ? 'Making the PDF…' : 'Download PDF'}
      </Button>
      {problem === undefined ? null : <Refusal error={problem} again={() => void save()} />}
    </>
  );
}
