import { useState } from 'preact/hooks';
import {
  Button,
  Dialog,
  exactTime,
  Notice,
  OperationButton,
  SecretDialog,
  textAt,
  useRead,
  type Row,
} from '#core/surfaces/console/kit/index.js';
import { texts } from './texts.js';

/** An address that people can be sent to as it is: a page, not a scheme of an app or the origin of an API. */
const isPage = (url: string): boolean => /^https?:\/\//.test(url);

/** Opens a session as the user: in the app, if one of its addresses is known; otherwise its token is shown. */
export function Impersonate({ userId, refused }: { userId: string; refused: string | undefined }) {
  const { data } = useRead('auth.settings.get', {});
  const pages = (data?.settings.redirectUrls ?? []).filter(isPage);
  const [opened, setOpened] = useState<Row>();
  const close = (): void => setOpened(undefined);
  const end = `It ends ${exactTime(textAt(opened, 'tokens.refreshTokenExpiresAt'))}. ${texts.impersonatedEnd}`;
  const address = textAt(opened, 'redirectTo');
  return (
    <>
      <OperationButton
        operation="auth.user.impersonate"
        action="Impersonate user"
        icon="user"
        input={{ userId }}
        initial={pages[0] === undefined ? {} : { redirectTo: pages[0] }}
        fields={['reason', 'seconds', 'redirectTo']}
        done="Impersonated session opened"
        onDone={({ result }) => setOpened(result)}
        refused={refused}
      >
        <p>{texts.impersonate}</p>
        <p>{texts.impersonateRecords}</p>
        <p>{pages.length === 0 ? texts.impersonateNowhere : texts.impersonateWhere}</p>
      </OperationButton>
      {opened === undefined ? null : address === '' ? (
        <SecretDialog
          title="Impersonated session"
          secret={textAt(opened, 'tokens.accessToken')}
          hint={`${texts.impersonated} ${end}`}
          onClose={close}
        />
      ) : (
        <Dialog title="Impersonated session" onClose={close}>
          <div class="stack">
            <p class="soft">{texts.impersonatedOpen}</p>
            <Notice tone="warn">
              <p>{end}</p>
            </Notice>
            <div class="row end">
              <Button kind="bare" onClick={close}>
                Close
              </Button>
              <a class="b main" href={address} target="_blank" rel="noopener noreferrer" onClick={close}>
                Open {new URL(address).host} as the user
              </a>
            </div>
          </div>
        </Dialog>
      )}
    </>
  );
}
