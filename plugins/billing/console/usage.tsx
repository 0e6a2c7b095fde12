import {
  addressOf,
  Button,
  Card,
  Empty,
  Head,
  labelOf,
  Loading,
  money,
  Refusal,
  useAddress,
  useRead,
} from '#core/surfaces/console/kit/index.js';
import { Cap } from './cap.js';
import { monthName, PastDue } from './standing.js';

const number = new Intl.NumberFormat('en');

/** The month before or after, YYYY-MM. */
function monthBeside(period: string, step: number): string {
  const [year = 0, month = 1] = period.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + step, 1)).toISOString().slice(0, 7);
}

/** What was used in a month, what it costs, and how far the cap is. */
export default function Usage() {
  const { query, go } = useAddress();
  const period = query['period'];
  const month = period === undefined ? {} : { period };
  const meters = useRead('billing.usage.get', { ...month, by: 'meter' });
  const days = useRead('billing.usage.get', { ...month, by: 'day' });
  const shown = meters.data?.period ?? period;
  const now = new Date().toISOString().slice(0, 7);
  return (
    <>
      <Head
        title={shown === undefined ? 'Usage' : `Usage in ${monthName(shown)}`}
        beside={<span class="tag">billing.usage.get</span>}
        actions={
          <>
            {shown === undefined ? null : (
              <>
                <Button onClick={() => go(addressOf(['billing', 'usage'], { period: monthBeside(shown, -1) }))}>
                  {monthName(monthBeside(shown, -1))}
                </Button>
                {shown < now ? (
                  <Button onClick={() => go(addressOf(['billing', 'usage'], { period: monthBeside(shown, 1) }))}>
                    {monthName(monthBeside(shown, 1))}
                  </Button>
                ) : null}
              </>
            )}
          </>
        }
      />
      <PastDue />
      <div class="two">
        <div class="stack">
          <Card title="By day">
            {days.error ? (
              <Refusal error={days.error} again={days.again} />
            ) : (
              <Days period={shown ?? now} rows={days.data?.rows ?? []} loading={days.data === undefined} />
            )}
          </Card>
          <Card title="By meter" flush={(meters.data?.rows.length ?? 0) > 0}>
            {meters.error ? (
              <Refusal error={meters.error} again={meters.again} />
            ) : meters.data === undefined ? (
              <Loading />
            ) : meters.data.rows.length === 0 ? (
              <Empty title="Nothing was used in this month." />
            ) : (
              <table>
                <thead>
                  <tr>
                    <th scope="col">Meter</th>
                    <th scope="col" class="num">
                      Quantity
                    </th>
                    <th scope="col" class="num">
                      Amount
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {meters.data.rows.map(({ meter, quantity, amount, test }) => (
                    <tr>
                      <td>
                        {labelOf(meter ?? 'other')} {test ? <span class="tag">test</span> : null}
                      </td>
                      <td class="num">{number.format(quantity)}</td>
                      <td class="num">{money(amount)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </Card>
        </div>
        <div class="stack">
          <Cap />
        </div>
      </div>
    </>
  );
}

const dayName = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });

/** Every day of a month, so that the bars of two months have the same width. */
function daysOf(period: string): string[] {
  const [year = 0, month = 1] = period.split('-').map(Number);
  const count = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return Array.from({ length: count }, (_, index) => `${period}-${String(index + 1).padStart(2, '0')}`);
}

interface DayRow {
  readonly date: string | null;
  readonly test: boolean;
  readonly amount: { readonly currency: string; readonly amount: string };
  readonly quantity: number;
}

/** Bars by day: amounts, or quantities while everything is free. Each bar's title has its numbers. */
function Days({ period, rows, loading }: { period: string; rows: readonly DayRow[]; loading: boolean }) {
  if (loading) return <Loading lines={4} />;
  const billed = rows.filter(({ test, date }) => !test && date !== null);
  if (billed.length === 0) return <p class="soft">Nothing was used in this month.</p>;
  const isFree = billed.every(({ amount }) => Number(amount.amount) === 0);
  const days = new Map(daysOf(period).map((day) => [day, 0]));
  for (const { date, amount, quantity } of billed)
    days.set(date ?? '', (days.get(date ?? '') ?? 0) + (isFree ? quantity : Number(amount.amount)));
  const most = Math.max(...days.values(), 1e-9);
  const currency = billed[0]?.amount.currency ?? 'USD';
  const shown = (value: number): string =>
    isFree ? `${number.format(value)} units` : money({ currency, amount: String(value) });
  const [mostDay] = [...days].reduce((a, b) => (b[1] > a[1] ? b : a), [period, 0]);
  return (
    <>
      <svg
        class="bars"
        viewBox={`0 0 ${days.size * 20} 100`}
        preserveAspectRatio="none"
        role="img"
        aria-label="Usage by day"
      >
        {[...days].map(([day, value], index) => (
          <rect x={index * 20 + 3} y={100 - (96 * value) / most} width="14" height={(96 * value) / most} rx="2">
            <title>{`${day}: ${shown(value)}`}</title>
          </rect>
        ))}
      </svg>
      <p class="faint small">
        Most on {dayName.format(new Date(mostDay))}: {shown(most)}.
      </p>
    </>
  );
}
