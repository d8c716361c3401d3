// Addresses in the hash: `#/story/<id>/<ref>/floor/128?page=2`. A missing or invalid part is null.
import type { RefId, StoryId } from 'storeyline-client';

export interface Route {
  story: StoryId | null;
  ref: RefId | null;
  /** Null: follow the chat. */
  floor: number | null;
  /** From 1; null: the active page. */
  page: number | null;
}

export const NOWHERE: Route = { story: null, ref: null, floor: null, page: null };

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function readRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?');
  const [, word, story = '', ref = '', floorWord, floorText = ''] = path.split('/');
  if (word !== 'story' || !ID.test(story)) return NOWHERE;
  const place: Route = { ...NOWHERE, story };
  if (!ID.test(ref)) return place;
  place.ref = ref;
  if (floorWord !== 'floor') return place;
  place.floor = wholeNumber(floorText, 0);
  if (place.floor !== null) place.page = wholeNumber(new URLSearchParams(query).get('page') ?? '', 1);
  return place;
}

export function writeRoute(place: Route): string {
  if (place.story === null) return '#/';
  if (place.ref === null) return `#/story/${place.story}`;
  const branch = `#/story/${place.story}/${place.ref}`;
  if (place.floor === null) return branch;
  return `${branch}/floor/${place.floor}${place.page === null ? '' : `?page=${place.page}`}`;
}

function wholeNumber(text: string, least: number): number | null {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : -1;
  return value >= least ? value : null;
}
