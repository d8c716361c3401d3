// An engine for tests: branches of any shape in memory, every request recorded, failures on demand. The
// shapes of stories, floors and calls were recorded from the real server (crates/cli/tests/it/recorded.rs).
import {
  Away, Refused, parseExact, type Branch, type BranchEdit, type Causes, type Edited, type Floor, type FloorLine, type Floors, type Language, type LastOperation,
  type PageId, type Path, type Ref, type RefId, type Role, type Story,
} from 'storeyline-client';
import type { PageEngine } from './engine';
import recordedText from './recorded.json?raw';

/** A greeting, a user's message, and a reply with passive functions and calls of every verdict. */
export const recorded = parseExact(recordedText) as { stories: [Story]; floors: Floors; details: [Floor, Floor, Floor] };

export const STORY = '00000000-0000-4000-8000-000000000001';
export const MAIN = '00000000-0000-4000-8000-0000000000a1';
export const SIDE = '00000000-0000-4000-8000-0000000000a2';

interface FakeFloor {
  role: Role;
  pages: number;
  active: number;
}

export class FakeEngine implements PageEngine {
  branches = new Map<RefId, FakeFloor[]>();
  asked: string[] = [];
  /** The failure of the next requests. */
  trouble: 'none' | 'dead' | 'locked' | 'refused' = 'none';
  last = 1;
  #heads = new Map<RefId, number>();
  #waiting: (() => void)[] = [];

  /** One letter per floor: `a` assistant, `u` user; a digit gives the floor before it that many pages. */
  constructor(main: string, side = 'au') {
    this.branches.set(MAIN, read(main));
    this.branches.set(SIDE, read(side));
  }

  append(ref: RefId, letters: string): void {
    this.branches.get(ref)?.push(...read(letters));
    this.moved(ref);
  }

  moved(ref: RefId): void {
    this.#heads.set(ref, (this.#heads.get(ref) ?? 0) + 1);
    this.last++;
    for (const answer of this.#waiting.splice(0)) answer();
  }

  async stories(): Promise<Story[]> {
    this.#note('stories');
    const refs = [...this.branches].map(([ref, floors], index): Ref => {
      const head = String(this.#heads.get(ref) ?? 0);
      const name = ref === MAIN ? 'main' : 'side';
      return { ...recorded.stories[0].refs[0]!, ref, name, floors: floors.length, head, updated: 100 - index };
    });
    return Promise.resolve([{ ...recorded.stories[0], story: STORY, refs }]);
  }

  async example(language: Language): Promise<Branch> {
    this.#note(`example ${language}`);
    return Promise.resolve({ story: STORY, ref: MAIN });
  }

  async floors({ ref }: Branch, from: number, limit: number): Promise<Floors> {
    this.#note(`floors ${from}`);
    const all = this.#branch(ref);
    const floors = all.slice(from, from + limit).map((floor, index) => summary(floor, from + index));
    return Promise.resolve({ total: all.length, floors });
  }

  async floor({ ref }: Branch, floor: number, page: PageId | null = null): Promise<Floor> {
    this.#note(`floor ${floor}${page === null ? '' : ` ${page}`}`);
    const fake = this.#branch(ref)[floor];
    if (!fake) throw new Refused(404, 'not_found', { zh: '没有', en: 'none' }, null);
    const { preview: _preview, valid: _valid, changes: _changes, pages: _pages, ...rest } = summary(fake, floor);
    const pages = Array.from({ length: fake.pages }, (_, index) => ({ page: pageId(floor, index), preview: '' }));
    return Promise.resolve({ ...recorded.details[like(fake)], ...rest, pages, page: page ?? rest.page });
  }

  /** Every path was set by its first key, a number: `["7"]` by floor 7. At most 10 floors are searched. */
  async causes(_branch: Branch, floor: number, paths: Path[]): Promise<Causes> {
    this.#note(`causes ${floor} ${paths.length}`);
    const searched_from = Math.max(0, floor - 9);
    const floors = paths.map(([key]) => (Number(key) >= searched_from && Number(key) <= floor ? Number(key) : null));
    return Promise.resolve({ floors, searched_from });
  }

  /** Knows one change only: another page of a floor. */
  async change({ ref }: Branch, edit: BranchEdit): Promise<Edited> {
    const page = edit.kind === 'select' ? edit.page : '';
    this.#note(`${edit.kind} ${page}`);
    const [floor = 0, index = 0] = page.slice(1).split('-').map(Number);
    const fake = this.#branch(ref)[floor];
    if (fake) fake.active = index;
    this.moved(ref);
    return Promise.resolve({ operation: this.last, ref, node: 'node', evaluated: [], late: false });
  }

  /** What the sessions of these tests do not need. */
  history = (): Promise<never[]> => Promise.resolve([]);
  pagePlaces = (): Promise<never[]> => Promise.resolve([]);
  undo = this.#unused;
  reprocess = this.#unused;
  previewChange = this.#unused;
  previewReprocess = this.#unused;
  keepFloor = this.#unused;
  putTemplate = this.#unused;
  stripMvu = this.#unused;

  #unused(): Promise<never> {
    return Promise.reject(new Error('not used here'));
  }

  async changes(after: string | null, _client: string | null, waitSeconds: number, signal?: AbortSignal): Promise<LastOperation> {
    this.#note('changes');
    if (`c${this.last}` === after && waitSeconds > 0) {
      await new Promise<void>((resolve, reject) => {
        this.#waiting.push(resolve);
        signal?.addEventListener('abort', () => reject(new Error('aborted')));
      });
      this.#fail();
    }
    return { last: `c${this.last}`, others: true };
  }

  #branch(ref: RefId): FakeFloor[] {
    return this.branches.get(ref) ?? [];
  }

  #note(what: string): void {
    this.asked.push(what);
    this.#fail();
  }

  #fail(): void {
    const words = { zh: '不行', en: 'no' };
    if (this.trouble === 'dead') throw new Away('dead');
    if (this.trouble === 'locked') throw new Refused(401, 'no_token', words, null);
    if (this.trouble === 'refused') throw new Refused(409, 'ref_moved', words, null);
  }
}

export function pageId(floor: number, index: number): PageId {
  return `p${floor}-${index}`;
}

function read(letters: string): FakeFloor[] {
  return [...letters.matchAll(/([au])(\d?)/g)].map(([, letter, pages]) => ({
    role: letter === 'u' ? 'user' : 'assistant',
    pages: Number(pages || 1),
    active: 0,
  }));
}

function summary(fake: FakeFloor, floor: number): FloorLine {
  return { ...recorded.floors.floors[like(fake)]!, ...fake, floor, page: pageId(floor, fake.active) };
}

/** Returns the recorded floor of the same role. */
function like(fake: FakeFloor): 1 | 2 {
  return fake.role === 'user' ? 1 : 2;
}
