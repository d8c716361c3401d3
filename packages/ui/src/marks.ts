// What the user marked in the browser, for shells that show it outside of the screens: pinned values, ignored failures.
export { draftsOf } from './model/owner_drafts';
export type { Drafts } from './model/drafts';
export { isPath, pinsPlace } from './model/pins';
export { IGNORED_PLACE, readIgnored } from './model/ignored';
export { failureKey, isIgnored, type IgnoredPages } from './logic/ignored';
