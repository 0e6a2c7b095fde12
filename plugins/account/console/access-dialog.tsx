import {
  acting,
  Button,
  CallDrawer,
  fieldProblem,
  FormDialog,
  isSvcError,
  Notice,
  operationNamed,
  Refusal,
  refusalFor,
  type Row,
  SelectInput,
  textAt,
  TextInput,
  Time,
  useAction,
  useDraft,
  useOpened,
  whose,
} from '#core/surfaces/console/kit/index.js';
import type { ComponentChildren } from 'preact';
import { accesses, accessOf, accessTitle, choices, type Grant } from './member-access.js';

interface AccessButtonProps {
  operation: 'account.member.invite' | 'account.member.role.set';
  action: string;
  kind: 'main' | 'small';
  /** What opens its dialog in an address. */
  opens?: string;
  icon?: 'plus';
  /** The member, or nobody yet. */
  input: Row;
  grant: Grant;
  /** The `updatedAt` of the grant. */
  since?: string;
  done: (input: Row) => string;
  refused?: string | undefined;
  children: ComponentChildren;
}

/** Opens a dialog that asks what somebody may do: a role, a part of one with a name, or single permissions. */
export function AccessButton(props: AccessButtonProps) {
  const { operation, action, kind, icon, opens, refused = refusalFor(operation) } = props;
  const [open, setOpen] = useOpened(opens, refused);
  return (
    <>
      <Button kind={kind} refused={refused} onClick={() => setOpen(true)} {...(icon === undefined ? {} : { icon })}>
        {action}
      </Button>
      {open ? <AccessDialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

const chosen = 'chosen';
/** The roles that can be narrowed. A narrowed admin may administer members; the others do not differ. */
const roleWith = (permissions: readonly string[]): string =>
  permissions.some((each) => /^(account|billing):write$/.test(each)) ? 'admin' : 'developer';

function AccessDialog({
  operation: name,
  action,
  input,
  grant,
  since,
  done,
  children,
  onClose,
}: AccessButtonProps & { onClose: () => void }) {
  const draft = useDraft<{ email: string; access: string; permissions: readonly string[]; since?: string }>(
    `access ${name} ${JSON.stringify(input)}`,
  );
  const { busy, problem, send } = useAction();
  const operation = operationNamed(name);
  const given = draft.value ?? {
    email: '',
    access: accessOf(grant)?.id ?? chosen,
    permissions: grant.permissions ?? [],
    ...(since === undefined ? {} : { since }),
  };
  const meanwhile = isSvcError(problem) && problem.code === 'changed_meanwhile' ? problem.details : undefined;
  // Once the person has seen the other change, sending again replaces it.
  const unchangedSince = meanwhile ? textAt(meanwhile, 'updatedAt') : given.since;
  const access = accesses().find(({ id }) => id === given.access);
  const asksAddress = name === 'account.member.invite';
  const wanted = access ?? { role: roleWith(given.permissions), permissions: given.permissions };
  const sent = {
    ...input,
    ...(asksAddress ? { email: given.email.trim() } : {}),
    role: wanted.role,
    // Null takes a narrowing back; an invitation that is not narrowed leaves it out.
    ...(wanted.permissions === null && asksAddress ? {} : { permissions: wanted.permissions }),
    ...(unchangedSince === undefined ? {} : { ifUnchangedSince: unchangedSince }),
  };
  const atField = operation && fieldProblem(problem, operation.input);
  const errorOf = (field: string): string | undefined =>
    atField?.path.split(/[.[]/)[0] === field ? atField.text : undefined;
  const submit = async (): Promise<void> => {
    if (!(await send(name, sent, { said: `${done(sent)}.` }))) return;
    draft.edit(undefined);
    onClose();
  };
  if (!operation) return null;
  return (
    <FormDialog
      title={action}
      action={action}
      busy={busy}
      onCancel={() => {
        draft.edit(undefined);
        onClose();
      }}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <div class="soft stack tight">{children}</div>
      {meanwhile ? (
        <Notice tone="warn">
          <p>
            {whose(meanwhile)} changed this role <Time at={textAt(meanwhile, 'updatedAt')} />: it is “
            {accessTitle(grant)}” now. Cancel to keep that, or send yours to replace it.
          </p>
        </Notice>
      ) : problem === undefined || atField ? null : (
        <Refusal error={problem} again={() => void submit()} />
      )}
      {asksAddress ? (
        <TextInput
          label="Email"
          required
          value={given.email}
          error={errorOf('email')}
          onInput={(email) => draft.edit({ ...given, email })}
        />
      ) : null}
      <SelectInput
        label="Role"
        value={given.access}
        options={[
          ...accesses().map(({ id, title }) => ({ value: id, text: title })),
          { value: chosen, text: 'Chosen permissions' },
        ]}
        hint={access?.text}
        error={errorOf('role') ?? (access ? errorOf('permissions') : undefined)}
        onChange={(next) =>
          draft.edit({ ...given, access: next, permissions: access?.permissions ?? given.permissions })
        }
      />
      {access ? null : (
        <PermissionBoxes
          held={given.permissions}
          error={errorOf('permissions')}
          onChange={(permissions) => draft.edit({ ...given, permissions })}
        />
      )}
      <details class="more">
        <summary>The request</summary>
        <CallDrawer operation={operation} input={sent} />
      </details>
    </FormDialog>
  );
}

/** The permissions as boxes. Nobody gives what they do not have. */
function PermissionBoxes({
  held,
  error,
  onChange,
}: {
  held: readonly string[];
  error: string | undefined;
  onChange: (permissions: readonly string[]) => void;
}) {
  const mine = acting.value?.permissions ?? new Set<string>();
  return (
    <fieldset class="field group">
      <legend>Permissions</legend>
      {error === undefined ? null : <span class="error">{error}</span>}
      <div class="boxes">
        {choices().map((permission) => (
          <label>
            <input
              type="checkbox"
              checked={held.includes(permission)}
              disabled={!mine.has(permission) && !held.includes(permission)}
              onChange={({ currentTarget }) =>
                onChange(currentTarget.checked ? [...held, permission] : held.filter((each) => each !== permission))
              }
            />{' '}
            {permission}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
