// Entry point of the extension: the host loads this file as a module once its page is ready for extensions.
import { makeApi } from './app/api';
import { App } from './app/app';
import { addCommands } from './app/commands';
import { connect } from './app/events';
import { sillyTavern } from './host/sillytavern';
import { surfaceOf } from './host/surface';
import './style.css';
import { showInHost } from './drawer';

const host = sillyTavern();
const app = new App(host, makeApi(location.origin, () => host.headers()));
connect(host, app);
addCommands(host, app);
showInHost(app, surfaceOf(document));
// The extension may be loaded after the chat; then its CHAT_CHANGED is over.
if (host.open()) void app.open();
