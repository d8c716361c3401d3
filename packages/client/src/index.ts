// What the web page and the host extension share when they talk to the engine.
export { ExactNumber, exactNumber, parseExact } from './exact_json';
