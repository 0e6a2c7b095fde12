import {
  addressOf,
  Card,
  Empty,
  has,
  Head,
  Loading,
  money,
  Notice,
  OperationButton,
  Refusal,
  Status,
  Time,
  useRead,
  type ResultOf,
} from '#core/surfaces/console/kit/index.js';
import { numberTexts } from './texts.js';

type PhoneNumber = ResultOf<'sms.number.list'>['numbers'][number];
type Registration = ResultOf<'sms.registration.get'>;
type Prices = ResultOf<'billing.price.list'>['prices'];

/** The environment's numbers: what they can do, what they are used for, and whether they are ready. */
export default function Numbers() {
  const { data, error, again } = useRead('sms.number.list', { limit: 100 });
  const registration = useRead('sms.registration.get', {}, { enabled: has('sms.registration.get') });
  const prices = useRead(
    'billing.price.list',
    { meter: 'sms.number_month', limit: 100 },
    { enabled: has('billing.price.list') },
  );
  const numbers = data?.numbers ?? [];
  // Unknown while they load, and for those who may not read them.
  const known = has('billing.price.list') ? prices.data?.prices : [];
  const rents = known ?? [];
  return (
    <>
      <Head title="Numbers" sub={numberTexts.sub} actions={<BuyButton prices={known} />} />
      {error ? (
        <Refusal error={error} again={again} />
      ) : data === undefined ? (
        <Loading />
      ) : (
        <>
          {numbers.length > 0 && !numbers.some((each) => each.default) ? (
            <Notice tone="warn">
              <p>{numberTexts.noDefault}</p>
            </Notice>
          ) : null}
          <Card flush>
            {numbers.length === 0 ? (
              <Empty title="No numbers yet." action={<BuyButton prices={known} />}>
                {numberTexts.empty}
              </Empty>
            ) : (
              <ul class="checks numbers">
                {numbers.map((each) => (
                  <NumberRow
                    key={each.id}
                    number={each}
                    isOnly={numbers.length === 1}
                    registration={registration.data}
                    rent={rentOf(rents, each.country)}
                  />
                ))}
              </ul>
            )}
          </Card>
        </>
      )}
    </>
  );
}

/** The rent of a number per month, in words; undefined if numbers of its country are free. */
function rentOf(prices: Prices, country: string): string | undefined {
  const price = prices.find((each) => each.country === country) ?? prices.find((each) => each.country === null);
  const amount = price?.tiers[0]?.unitPrice;
  return price === undefined || amount === undefined || Number(amount) === 0
    ? undefined
    : `${money({ currency: price.currency, amount })} a month`;
}

/** Buys a number, after saying what it costs. */
function BuyButton({ prices }: { prices: Prices | undefined }) {
  const usual = rentOf(prices ?? [], '');
  const countries = (prices ?? []).flatMap(({ country }) => country ?? []);
  return (
    <OperationButton
      operation="sms.number.assign"
      action="Buy number"
      kind="main"
      icon="plus"
      input={{}}
      initial={{ country: 'US', capabilities: ['sms'] }}
      fields={['country', 'areaCode', 'number', 'capabilities']}
      done="Number assigned"
    >
      <p>{numberTexts.buy}</p>
      {prices === undefined ? null : prices.length === 0 ? (
        <p>{numberTexts.free}</p>
      ) : (
        <ul class="tight stack scroll">
          {countries.map((country) => (
            <li>
              {country}: {rentOf(prices, country) ?? 'free'}
            </li>
          ))}
          <li>
            {countries.length === 0 ? 'Every country' : 'Other countries'}: {usual ?? 'free'}
          </li>
        </ul>
      )}
    </OperationButton>
  );
}

interface RowProps {
  number: PhoneNumber;
  isOnly: boolean;
  registration: Registration | undefined;
  rent: string | undefined;
}

function NumberRow({ number: each, isOnly, registration, rent }: RowProps) {
  const { id, number, country, capabilities, assignedAt } = each;
  return (
    <li>
      <div>
        <p class="number">
          <b>{number}</b> <State number={number} registration={registration} />
          {each.default ? <span class="tag">default</span> : null}
        </p>
        <p>
          {each.default ? numberTexts.usedForAll : numberTexts.usedForReplies}{' '}
          <a href={addressOf(['sms', 'inbound'], { numberId: id })}>Show what it received</a>
        </p>
        <p>
          {country}, {capabilities.map((able) => able.toUpperCase()).join(' and ')}
          {rent === undefined ? '' : `, ${rent}`}, assigned <Time at={assignedAt} />
        </p>
      </div>
      <span class="acts">
        {each.default ? (
          isOnly ? (
            <OperationButton
              operation="sms.settings.set"
              action="Stop sending from it"
              kind="small"
              input={{ defaultNumberId: null }}
              done="No default number"
            >
              <p>{numberTexts.unset}</p>
            </OperationButton>
          ) : null
        ) : (
          <OperationButton
            operation="sms.settings.set"
            action="Make default"
            kind="small"
            input={{ defaultNumberId: id }}
            done={`Texts are sent from ${number}`}
          >
            <p>{numberTexts.makeDefault}</p>
          </OperationButton>
        )}
        <OperationButton
          operation="sms.number.release"
          action="Release number"
          kind="small"
          input={{ numberId: id }}
          done={`${number} released`}
          refused={each.default ? (isOnly ? numberTexts.onlyDefault : numberTexts.isDefault) : undefined}
        >
          <p>
            <b>{number}</b> {numberTexts.release}
          </p>
          <p>{numberTexts.releaseAfter}</p>
        </OperationButton>
      </span>
    </li>
  );
}

/** Whether carriers take texts of the number. */
function State({ number, registration }: { number: string; registration: Registration | undefined }) {
  if (registration === undefined) return null;
  const { required, problems } = registration;
  const stage = registration.registration?.stage;
  if (
    problems.some(({ code, message }) => code === 'number_not_registered' && message.includes(`The number ${number} `))
  )
    return (
      <a href={addressOf(['sms', 'registration'])}>
        <Status status="not_in_the_registration" tone="bad" />
      </a>
    );
  if (required && (stage === undefined || stage === 'failed'))
    return (
      <a href={addressOf(['sms', 'registration'])}>
        <Status status="registration_missing" tone="bad" />
      </a>
    );
  if (required && stage !== 'active') return <Status status="waits_for_the_carriers" tone="run" />;
  return <Status status="ready" />;
}
