/** Whether people can subscribe to a topic themselves, and how: null for a topic without a form. */
export const up: readonly string[] = ['ALTER TABLE audience_topic ADD COLUMN subscribe_form JSON NULL'];
