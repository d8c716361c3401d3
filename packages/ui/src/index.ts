// What the two shells mount: the engine's own page and the drawer in the host.
export { Look, provideLook, getLook, type Size, type Tone } from './look.svelte';
export { LANG_TAG, pickLanguage, type Language } from './words/language';
export type { Words } from './words/zh';

export { Session } from './model/session.svelte';
export { memoryAddress, type Address } from './model/address';
export { NOWHERE, readRoute, writeRoute, type Route } from './model/route';

export { default as Command } from './parts/Command.svelte';
export { default as Dialog } from './parts/Dialog.svelte';
export { default as EmptyBlock } from './parts/EmptyBlock.svelte';
export { default as Icon } from './parts/Icon.svelte';
export { default as Picker } from './parts/Picker.svelte';
export { default as Strip } from './parts/Strip.svelte';
export { timeText } from './logic/time';

export { default as Screens } from './shell/Screens.svelte';
export { NO_HOST, type HostCard, type HostFiles, type HostServices } from './shell/host';
