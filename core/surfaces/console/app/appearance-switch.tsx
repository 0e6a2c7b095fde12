import { labelOf } from '../kit/words.js';
import { appearance, appearances, setAppearance } from './appearance.js';

/** Light, dark, or as the system has it. */
export const AppearanceSwitch = () => (
  <fieldset class="appearance">
    <legend>Appearance</legend>
    {appearances.map((each) => (
      <label key={each}>
        <input
          type="radio"
          name="appearance"
          checked={appearance.value === each}
          onChange={() => setAppearance(each)}
        />
        <span>{labelOf(each)}</span>
      </label>
    ))}
  </fieldset>
);
