import { render } from 'preact';
import './console.css';
import { App } from './app.js';

render(<App />, document.body);
