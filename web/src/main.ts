// Starts the page: the engine beside it, the address in its hash.
import { mount } from 'svelte';
import { httpEngine } from './api/http';
import App from './App.svelte';
import { hashAddress } from './app/address';
import { Session } from './app/session.svelte';
import { Ui } from './app/ui.svelte';
import './page.css';
import './theme.css';

const target = document.getElementById('storeyline');
if (target) {
  const session = new Session(httpEngine(new URL(document.baseURI)), hashAddress(window));
  mount(App, { target, props: { session, ui: new Ui() } });
}
