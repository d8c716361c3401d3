// What the screens ask of the engine.
import type { Engine } from 'storeyline-client';

export type PageEngine = Pick<
  Engine,
  | 'stories' | 'example' | 'floors' | 'floor' | 'causes' | 'changes' | 'history' | 'pagePlaces'
  | 'change' | 'undo' | 'reprocess' | 'previewChange' | 'previewReprocess'
  | 'keepFloor' | 'putTemplate' | 'stripMvu'
>;
