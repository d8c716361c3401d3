// Short names for what is on the wire. The types come from the description of the API; nothing is declared here.
import type { components } from './generated.ts';

export type Schemas = components['schemas'];

export type StoryId = Schemas['StoryId'];
export type RefId = Schemas['RefId'];
export type PageId = Schemas['PageId'];
export type Cursor = Schemas['Cursor'];

export type Words = Schemas['Words'];
export type Language = Schemas['Language'];
export type Role = Schemas['Role'];
export type Step = Path[number];
/** A path in a state: keys of objects and indexes of lists. */
export type Path = Change['path'];

export type Story = Schemas['Story'];
export type StoryDetail = Schemas['StoryDetail'];
export type Ref = Schemas['Ref'];
export type Floors = Schemas['Floors'];
export type FloorLine = Schemas['FloorLine'];
export type Floor = Schemas['Floor'];
/** How many values a floor changed, added and removed, and how many calls failed. */
export type Counts = Schemas['Changes'];
export type Call = Schemas['Call'];
export type Change = Schemas['Change'];
export type Diagnostic = Schemas['Diagnostic'];
export type PageDiagnostic = Schemas['PageDiagnostic'];
export type Causes = Schemas['Causes'];
export type BranchEdit = Schemas['BranchEdit'];
export type Edited = Schemas['Edited'];
export type Ripple = Schemas['Ripple'];
export type FloorChange = Schemas['FloorChange'];
export type ValueChange = Schemas['ValueChange'];

export type OpenChat = Schemas['OpenChat'];
export type OpenedChat = Schemas['OpenedChat'];
export type Cast = Schemas['Cast'];
export type CastBeginning = Schemas['CastBeginning'];
export type HeldFunctions = Schemas['HeldFunctions'];
export type SwitchTo = Schemas['SwitchTo'];
export type NewHostFile = Schemas['NewHostFile'];

/** The request of a sync: `Sync` is taken by the description, for its own name. */
export type SyncRequest = Schemas['Sync'];
export type SyncAnswer = Schemas['SyncAnswer'];
export type SyncRow = Schemas['SyncRow'];
export type SyncPage = Schemas['SyncPage'];
export type SyncState = Schemas['SyncState'];
export type SyncStateOp = Schemas['SyncStateOp'];
export type HostChange = Schemas['HostChange'];
export type Notice = Schemas['Notice'];
export type LastOperation = Schemas['LastOperation'];

/** A branch: the story and the ref in it. */
export type Branch = Pick<Schemas['BegunStory'], 'story' | 'ref'>;
