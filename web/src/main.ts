// Starts the page: the access of this browser, the engine beside it, the address in its hash.
import { mount } from 'svelte';
import App from './App.svelte';
import { Access } from './app/access.svelte';
import { hashAddress } from './app/address';
import { clientBeside } from './app/engine';
import { makeEngine } from 'storeyline-client';
import { Look, Session } from 'storeyline-ui';
import 'storeyline-ui/tokens.css';
import './page.css';

const target = document.getElementById('storeyline');
if (target) {
  const access = new Access(window);
  await access.open();
  const client = clientBeside(new URL(document.baseURI), () => access.token());
  const session = new Session(makeEngine(client), hashAddress(window));
  access.listen(() => session.retry());
  mount(App, { target, props: { access, session, client, look: new Look() } });
}
