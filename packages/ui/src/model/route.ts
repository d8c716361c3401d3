// Addresses in the hash: `#/story/<id>/<ref>/floor/128?page=2&tab=template`. A missing or invalid part is null.
import type { RefId, StoryId } from 'storeyline-client';

export interface Route {
  story: StoryId | null;
  ref: RefId | null;
  /** Null: follow the chat. */
  floor: number | null;
  /** From 1; null: the active page. */
  page: number | null;
  tab: Tab;
}

/** The screens, in the order of their tabs. */
export const TABS = ['floors', 'history', 'functions', 'template', 'snapshots', 'settings'] as const;
export type Tab = (typeof TABS)[number];

export const NOWHERE: Route = { story: null, ref: null, floor: null, page: null, tab: 'floors' };

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function readRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?');
  const [, word, story = '', ref = '', floorWord, floorText = ''] = path.split('/');
  const asked = new URLSearchParams(query);
  const tab = TABS.find((one) => one === asked.get('tab')) ?? 'floors';
  if (word !== 'story' || !ID.test(story)) return { ...NOWHERE, tab };
  const place: Route = { ...NOWHERE, story, tab };
  if (!ID.test(ref)) return place;
  place.ref = ref;
  if (floorWord !== 'floor') return place;
  place.floor = wholeNumber(floorText, 0);
  if (place.floor !== null) place.page = wholeNumber(asked.get('page') ?? '', 1);
  return place;
}

export function writeRoute(place: Route): string {
  const asked = new URLSearchParams();
  if (place.floor !== null && place.page !== null) asked.set('page', String(place.page));
  if (place.tab !== 'floors') asked.set('tab', place.tab);
  const query = asked.size > 0 ? `?${asked}` : '';
  if (place.story === null) return `#/${query}`;
  if (place.ref === null) return `#/story/${place.story}${query}`;
  const floor = place.floor === null ? '' : `/floor/${place.floor}`;
  return `#/story/${place.story}/${place.ref}${floor}${query}`;
}

function wholeNumber(text: string, least: number): number | null {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : -1;
  return value >= least ? value : null;
}
