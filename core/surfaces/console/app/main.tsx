import { render } from 'preact';
import './styles/base.css';
import './styles/shell.css';
import './styles/content.css';
import './styles/drawer.css';
import './styles/states.css';
import './styles/forms.css';
import './styles/kit.css';
import './styles/home.css';
import { App } from './app.js';
import { startAppearance } from './appearance.js';

startAppearance();
render(<App />, document.body);
