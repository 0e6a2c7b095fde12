/** The handler of a text area in which Ctrl+Enter, or ⌘ Enter on a Mac, submits. */
export const onSubmitKey =
  (submit: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    submit();
  };
