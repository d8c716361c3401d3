// What every front end uses to talk to the engine.
export { ExactNumber, exactNumber, parseExact, writeExact, type Json, type JsonObject } from './exact_json.ts';
export { ApiError, Away, NOT_THE_ENGINE, Refused } from './errors.ts';
export { makeAsk, makeClient, type Client, type Place } from './client.ts';
export { makeEngine, type Engine } from './engine.ts';
export { Changes, type Heard, type Rhythm } from './changes.ts';
export type * from './types.ts';
