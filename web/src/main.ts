// Starts the page: the access of this browser, the engine beside it, the address in its hash.
import { mount } from 'svelte';
import App from './App.svelte';
import { Access } from './app/access.svelte';
import { hashAddress } from './app/address';
import { engineBeside } from './app/engine';
import { Session } from './app/session.svelte';
import { Ui } from './app/ui.svelte';
import './page.css';
import './theme.css';

const target = document.getElementById('storeyline');
if (target) {
  const access = new Access(window);
  await access.open();
  const session = new Session(engineBeside(new URL(document.baseURI), () => access.token()), hashAddress(window));
  access.listen(() => session.retry());
  mount(App, { target, props: { access, session, ui: new Ui() } });
}
